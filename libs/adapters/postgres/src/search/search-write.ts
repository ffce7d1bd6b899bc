import { isFolderFacet, type PartitionSequences, type SearchDocument } from '@stratalog/domain';
import { stringifyJson, type Steps } from '@stratalog/json';
import type { QueryConfig } from 'pg';
import { bigintArray, byteaArray, encodeTsvector, textArray, tsvectorArray } from '../database/binary-arrays';
import { encodeIds } from './facet-counts';
import { toFacetKey, type FacetIds } from './facet-values';
import { toKeyEntries, type KeyEntry } from './key-entries';
import { nameStarts } from './name-starts';
import { moveCheckpointText } from '../index-versions/postgres-index';
import type { SearchTables } from './search-tables';
import { toNameTsvector, toTsvector } from './to-tsvector';

/** A document in the form in which a statement sends it. */
export interface EncodedDocument extends Pick<
  SearchDocument,
  'urn' | 'entityType' | 'seq' | 'removed' | 'deleted' | 'weight'
> {
  readonly facetIds: Buffer;
  readonly folderIds: Buffer;
  readonly body: string;
  readonly nameStarts: number;
  readonly names: Buffer;
  readonly tokens: Buffer;
  readonly entries: readonly KeyEntry[];
}

/** Encodes documents one by one: hundreds at once would hold the event loop for tens of milliseconds. */
export function* encodeDocuments(
  documents: readonly SearchDocument[],
  ids: FacetIds,
): Steps<readonly EncodedDocument[]> {
  const encoded: EncodedDocument[] = [];
  for (const document of documents) {
    const { urn, entityType, seq, removed, deleted, weight } = document;
    encoded.push({
      ...{ urn, entityType, seq, removed, deleted, weight },
      facetIds: encodeFacets(document.facets, false, ids),
      folderIds: encodeFacets(document.facets, true, ids),
      body: stringifyJson(document.values),
      nameStarts: nameStarts(document),
      names: encodeTsvector(toNameTsvector(document)),
      tokens: encodeTsvector(toTsvector(document)),
      entries: toKeyEntries(document.filters),
    });
    yield;
  }
  return encoded;
}

/**
 * Builds the statement that writes documents with their keys and words and moves the checkpoint. A document with a `seq` below the
 * stored one is dropped, and its keys stay.
 *
 * Unchanged keys cost no write. The comparison groups rows instead of joining them, and selects the old ones by `ctid`:
 * neither depends on statistics, which could turn a join of two large sets into a nested loop.
 */
export function writeStatement(
  tables: SearchTables,
  indexVersion: number,
  {
    documents,
    words,
    position,
  }: {
    readonly documents: readonly EncodedDocument[];
    /** Words that the table of words may lack. */
    readonly words: readonly string[];
    readonly position: PartitionSequences;
  },
): QueryConfig {
  const entries = documents.flatMap((document) => document.entries);
  const owners = documents.flatMap((document, at) => document.entries.map(() => at + 1));
  return {
    name: `write-${tables.documents}`,
    text: writeText(tables),
    values: [
      textArray(documents.map((document) => document.urn)),
      textArray(documents.map((document) => document.entityType)),
      bigintArray(documents.map((document) => document.seq)),
      documents.map((document) => document.removed),
      byteaArray(documents.map(({ facetIds }) => facetIds)),
      textArray(documents.map(({ body }) => body)),
      tsvectorArray(documents.map(({ names }) => names)),
      tsvectorArray(documents.map(({ tokens }) => tokens)),
      indexVersion,
      [...position.keys()],
      [...position.values()],
      documents.map((document) => document.weight),
      documents.map((document) => document.deleted),
      byteaArray(documents.map(({ folderIds }) => folderIds)),
      bigintArray(owners),
      textArray(entries.map(({ entry }) => entry)),
      bigintArray(entries.map(toMarks)),
      textArray(entries.map(({ whole }) => whole)),
      textArray(words),
      bigintArray(documents.map((document) => document.nameStarts)),
    ],
  };
}

function writeText({ documents, keys, words }: SearchTables): string {
  return `with documents as (
              insert into ${documents} as d (urn, entity_type, seq, removed, deleted, facet_ids, folder_ids, body, names, tokens, weight, name_starts)
              select urn, entity_type, seq, removed, deleted, facet_ids, folder_ids, body, names, tokens, weight, name_starts
                from unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::bytea[], $6::text[], $7::tsvector[],
                            $8::tsvector[], $12::real[], $13::boolean[], $14::bytea[], $20::bigint[])
                  i(urn, entity_type, seq, removed, facet_ids, body, names, tokens, weight, deleted, folder_ids, name_starts)
              on conflict (urn) do update set
                seq = excluded.seq, removed = excluded.removed, deleted = excluded.deleted, facet_ids = excluded.facet_ids, folder_ids = excluded.folder_ids,
                body = excluded.body, names = excluded.names, tokens = excluded.tokens, weight = excluded.weight, name_starts = excluded.name_starts
               where d.seq <= excluded.seq
              returning urn, id
            ), written as materialized (
              select d.id, u.at from documents d join unnest($1::text[]) with ordinality u(urn, at) on u.urn = d.urn collate "C"
            ), compared as materialized (
              select k.ctid as place, k.document, k.entry, k.is_first, k.is_last, k.is_lowest, k.is_highest, k.whole
                from written w cross join lateral (select ctid, * from ${keys} where document = w.id limit 100000000) k
               union all
              select null, w.id, e.entry collate "C", e.marks & 1 > 0, e.marks & 2 > 0, e.marks & 4 > 0, e.marks & 8 > 0, e.whole
                from unnest($15::bigint[], $16::text[], $17::bigint[], $18::text[]) e(at, entry, marks, whole) join written w using (at)
            ), changed as materialized (
              select max(place) as place, document, entry, is_first, is_last, is_lowest, is_highest, whole
                from compared group by 2, 3, 4, 5, 6, 7, 8 having count(*) = 1
            ), deleted as (
              delete from ${keys} where ctid = any(array(select place from changed where place is not null))
            ), added as (
              insert into ${keys} (document, entry, is_first, is_last, is_lowest, is_highest, whole)
              select document, entry, is_first, is_last, is_lowest, is_highest, whole from changed where place is null order by entry
            ), words as (
              insert into ${words} (word) select unnest($19::text[]) on conflict do nothing
            )
            ${moveCheckpointText('search', ['$9', '$10', '$11'])}`;
}

/** Encodes the flags of an entry as bits. */
function toMarks({ isFirst, isLast, isLowest, isHighest }: KeyEntry): number {
  return Number(isFirst) + 2 * Number(isLast) + 4 * Number(isLowest) + 8 * Number(isHighest);
}

/** Encodes the ids of a document's facet values, each once: of those that count folders, or of all others. */
function encodeFacets(facets: SearchDocument['facets'], ofFolders: boolean, ids: FacetIds): Buffer {
  const own = new Set<number>();
  for (const [field, values] of Object.entries(facets)) {
    if (isFolderFacet(field) !== ofFolders) continue;
    for (const value of values) own.add(ids.get(toFacetKey(field, value)) ?? NaN);
  }
  return encodeIds(own);
}
