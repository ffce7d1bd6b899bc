import {
  isFolderFacet,
  stringifyJson,
  type PartitionSequences,
  type SearchDocument,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/model';
import type { EntryFingerprint, IndexVersion, SearchIndex } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { bigintArray, textArray, tsvectorArray } from '../database/binary-arrays';
import type { Database } from '../database/database';
import { withoutNul } from '../database/without-nul';
import { PostgresIndex, onTables } from '../index-versions/postgres-index';
import { toResult, searchStatement, type SearchRow, type SearchStatement } from './search-statement';
import { TokenUpkeep } from './token-upkeep';
import { toNameTsvector, toTsvector } from './to-tsvector';

/** Implements one version of the search index: a table of documents and a checkpoint. */
export class PostgresSearchIndex extends PostgresIndex implements SearchIndex {
  private readonly table: string;
  private readonly upkeep: TokenUpkeep;

  constructor(database: Database, indexVersion: IndexVersion) {
    super(database, 'search', indexVersion);
    this.table = tableOf(this.indexVersion);
    this.upkeep = new TokenUpkeep(database, tokenIndexOf(this.table));
  }

  async write(documents: readonly SearchDocument[], position: PartitionSequences = new Map()): Promise<void> {
    const writing = this.database.use((client) =>
      client.query({
        name: `write-${this.table}`,
        text: this.writeText(),
        values: [
          textArray(documents.map((document) => document.urn)),
          textArray(documents.map((document) => document.entityType)),
          bigintArray(documents.map((document) => document.seq)),
          documents.map((document) => document.removed),
          textArray(documents.map(({ facets }) => facetText(facets, false))),
          textArray(documents.map((document) => stringifyJson(document.values))),
          tsvectorArray(documents.map(toNameTsvector)),
          tsvectorArray(documents.map(toTsvector)),
          this.indexVersion,
          [...position.keys()],
          [...position.values()],
          documents.map((document) => document.weight),
          documents.map((document) => document.deleted),
          textArray(documents.map((document) => keyText(document.filters))),
          textArray(documents.map(({ facets }) => facetText(facets, true))),
        ],
      }),
    );
    await onTables(writing);
    await this.upkeep.wrote(documents.length);
  }

  async search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionSequences }> {
    const statement = searchStatement(this.table, this.indexVersion, request);
    const rows = await onTables(this.database.search((client) => runPlanned(client, statement)));
    return toResult(rows, request);
  }

  async readValues(urns: readonly string[]): Promise<ReadonlyMap<string, SearchHit['values']>> {
    const rows = await this.select<{ readonly urn: string; readonly body: string }>(
      `select urn, body from ${this.table} where urn = any($1::text[]) and not deleted`,
      [urns],
    );
    return new Map(rows.map(({ urn, body }) => [urn, JSON.parse(body) as SearchHit['values']]));
  }

  fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]> {
    return this.select<EntryFingerprint>(
      `select urn, seq, md5(concat_ws(chr(10), entity_type, removed, deleted, weight, facets, folders, keys, body, names, tokens)) as fingerprint
         from ${this.table} where urn > $1 order by urn limit $2`,
      [after ?? '', limit],
    );
  }

  count(): Promise<number> {
    return this.selectTotal(`select count(*) as total from ${this.table}`);
  }

  filterPresent(urns: readonly string[]): Promise<readonly string[]> {
    return this.selectUrns(`select urn from ${this.table} where urn = any($1::text[])`, [urns]);
  }

  /**
   * Writes documents and moves the checkpoint in one statement. A document with a `seq` below the stored one is
   * dropped.
   */
  private writeText(): string {
    return `with documents as (
              insert into ${this.table} as d (urn, entity_type, seq, removed, deleted, facets, folders, keys, body, names, tokens, weight)
              select urn, entity_type, seq, removed, deleted, facets::jsonb, folders::jsonb, keys::jsonb, body, names, tokens, weight
                from unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::text[], $6::text[], $7::tsvector[],
                            $8::tsvector[], $12::real[], $13::boolean[], $14::text[], $15::text[])
                  i(urn, entity_type, seq, removed, facets, body, names, tokens, weight, deleted, keys, folders)
              on conflict (urn) do update set
                seq = excluded.seq, removed = excluded.removed, deleted = excluded.deleted, facets = excluded.facets, folders = excluded.folders,
                keys = excluded.keys, body = excluded.body, names = excluded.names, tokens = excluded.tokens, weight = excluded.weight
               where d.seq <= excluded.seq
            )
            insert into search_checkpoint as p (index_version, partition, seq)
            select $9::integer, partition, seq from unnest($10::integer[], $11::bigint[]) i(partition, seq)
            on conflict (index_version, partition) do update set seq = greatest(p.seq, excluded.seq)`;
  }
}

/** Encodes the facets that count folders, or all others, for `jsonb`, which holds every text except one with NUL. */
function facetText(facets: SearchDocument['facets'], ofFolders: boolean): string {
  const plain = Object.entries(facets)
    .filter(([name]) => isFolderFacet(name) === ofFolders)
    .map(([name, values]): [string, string[]] => [name, values.map(withoutNul)]);
  return JSON.stringify(Object.fromEntries(plain));
}

function keyText(filters: SearchDocument['filters']): string {
  return JSON.stringify(Object.fromEntries(Object.entries(filters).map(([name, { keys }]) => [name, keys])));
}

/**
 * Runs the search statement with planner settings.
 *
 * A statement with tokens must use the token index: a scan would fetch every document's tokens from out of line, which
 * the planner does not count. `work_mem` holds a hundred thousand matches, and with its multiplier the planner hashes
 * their facets, which it would otherwise sort field by field. A prepared statement keeps its generic plan,
 * because planning a plain search takes longer than finding a few documents.
 */
async function runPlanned(
  client: PoolClient,
  { name, text, values, usesTokens }: SearchStatement,
): Promise<readonly SearchRow[]> {
  const scans = usesTokens ? 'off' : 'on';
  const plans = name === undefined ? 'auto' : 'force_generic_plan';
  const sent = [
    client.query('begin read only'),
    client.query(
      `set local enable_seqscan = ${scans}; set local work_mem = '32MB'; set local hash_mem_multiplier = 8; set local plan_cache_mode = ${plans}`,
    ),
    client.query<SearchRow>(name === undefined ? { text, values } : { name, text, values }),
    client.query('commit'),
  ] as const;
  await Promise.allSettled(sent);
  const [, , result] = await Promise.all(sent);
  return result.rows;
}

export const TABLE_PREFIX = 'search_document_';

function tableOf(indexVersion: number): string {
  return TABLE_PREFIX + String(indexVersion);
}

function tokenIndexOf(table: string): string {
  return `${table}_tokens`;
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
export const LAYOUT = 6;

/**
 * Returns the statements that create the table of an index version.
 *
 * Tokens, keys and body are stored out of line, so that counting and ranking a large result reads narrow rows. Columns
 * that a search reads for every match stay in the row. The token index keeps new entries in a pending list, which
 * `TokenUpkeep` empties.
 */
export function createTableStatements(indexVersion: number): readonly string[] {
  const table = tableOf(indexVersion);
  return [
    `create table ${table} (
       urn         text     primary key collate "C",
       entity_type text     not null,
       seq         bigint   not null,
       removed     boolean  not null,
       deleted     boolean  not null,
       weight      real     not null,
       facets      jsonb    not null,
       folders     jsonb    not null,
       keys        jsonb    not null,
       names       tsvector not null,
       body        text     not null,
       tokens      tsvector not null
     ) with (fillfactor = 85, toast_tuple_target = 512)`,
    `alter table ${table} alter column body set storage external, alter column tokens set storage external, alter column keys set storage external, alter column folders set storage external`,
    `alter table ${table} alter column urn set storage main, alter column facets set storage main, alter column names set storage main`,
    // No plan depends on statistics of these columns, and sampling them costs much.
    `alter table ${table} alter column body set statistics 0, alter column keys set statistics 0`,
    `create index ${tokenIndexOf(table)} on ${table} using gin (tokens) with (fastupdate = on, gin_pending_list_limit = ${PENDING_LIMIT_KB})`,
    `create index on ${table} (entity_type, urn) where not removed`,
  ];
}
