/** The tables of one version of the search index. */
export interface SearchTables {
  readonly documents: string;
  /** A row for each key of a document, see `toKeyEntries`. */
  readonly keys: string;
  /** A row for each word of any document. */
  readonly words: string;
  /** A row for each value that any document has counted in a facet. */
  readonly facetValues: string;
  readonly tokenIndex: string;
}

const DOCUMENTS = 'search_document_';
const KEYS = 'search_key_';
const WORDS = 'search_word_';
const FACET_VALUES = 'search_facet_value_';
/** The table of documents names the version. */
export const SEARCH_TABLES = [DOCUMENTS, KEYS, WORDS, FACET_VALUES] as const;

export function searchTablesOf(indexVersion: number): SearchTables {
  const documents = DOCUMENTS + String(indexVersion);
  return {
    documents,
    keys: KEYS + String(indexVersion),
    words: WORDS + String(indexVersion),
    facetValues: FACET_VALUES + String(indexVersion),
    tokenIndex: `${documents}_tokens`,
  };
}

/**
 * Far above the number of documents that `TokenUpkeep` leaves pending. PostgreSQL empties a longer list within the
 * write.
 */
const PENDING_LIMIT_KB = 32_768;

/**
 * Version of the table layout. Increase it with every change of the statements below; indices of another layout are
 * rebuilt.
 */
export const LAYOUT = 14;

/**
 * Number of ranges of which PostgreSQL knows the frequency. Fields share them, so each field needs a number of its own
 * to be told apart: the choice between a hash of all documents and a test of few depends on it.
 */
const ENTRY_STATISTICS = 500;

/**
 * Returns the statements that create the tables of an index version.
 *
 * **Documents**: tokens and body are stored out of line, so that counting and ranking a large result reads narrow rows.
 * Columns that a search reads for every match stay in the row. Columns of a fixed length come first: behind a column of variable length,
 * PostgreSQL has to read the row to find the next one. The token index keeps new entries in a pending list, which `TokenUpkeep` empties.
 *
 * Another index has the documents of a type in the order of a search that ranks nothing.
 *
 * **Keys**: the index on entries has everything that filters and orders read, so that they leave the rows alone.
 *
 * **Facet values**: a document names them by their ids, so that counting reads four bytes for each value of a match. Their digests tell equal
 * ones, because a value may be longer than an entry of an index.
 */
export function createSearchStatements(indexVersion: number): readonly string[] {
  const { documents, keys, words, facetValues, tokenIndex } = searchTablesOf(indexVersion);
  return [
    `create table ${documents} (
       id          bigint   not null generated always as identity unique,
       seq         bigint   not null,
       name_starts bigint   not null,
       weight      real     not null,
       removed     boolean  not null,
       deleted     boolean  not null,
       entity_type text     not null,
       facet_ids   bytea    not null,
       urn         text     primary key collate "C",
       folder_ids  bytea    not null,
       names       tsvector not null,
       body        text     not null,
       tokens      tsvector not null
     ) with (fillfactor = 85, toast_tuple_target = 512)`,
    `alter table ${documents} alter column body set storage external, alter column tokens set storage external, alter column folder_ids set storage external`,
    `alter table ${documents} alter column urn set storage main, alter column facet_ids set storage main, alter column names set storage main`,
    // No plan depends on statistics of this column, and sampling it costs much.
    `alter table ${documents} alter column body set statistics 0`,
    `create index ${tokenIndex} on ${documents} using gin (tokens) with (fastupdate = on, gin_pending_list_limit = ${PENDING_LIMIT_KB})`,
    `create index on ${documents} (entity_type, weight desc, urn) where not removed`,
    `create table ${keys} (
       document   bigint  not null,
       entry      text    not null collate "C",
       is_first   boolean not null,
       is_last    boolean not null,
       is_lowest  boolean not null,
       is_highest boolean not null,
       whole      text
     )`,
    `alter table ${keys} alter column entry set statistics ${ENTRY_STATISTICS}, alter column whole set statistics 0`,
    `create index on ${keys} (entry, document) include (is_first, is_last, is_lowest, is_highest)`,
    `create index on ${keys} (document)`,
    `create table ${words} (word text primary key collate "C")`,
    `create table ${facetValues} (
       id     integer primary key generated always as identity,
       field  text    not null,
       value  text    not null,
       digest text    not null unique collate "C"
     )`,
  ];
}
