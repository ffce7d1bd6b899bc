import { hash } from 'node:crypto';
import type {
  Facet,
  PartitionSequences,
  SearchDocument,
  SearchHit,
  SearchRequest,
  SearchResult,
} from '@stratalog/domain';
import { inSlices } from '@stratalog/concurrency';
import type { EntryFingerprint, IndexVersion, SearchIndex } from '@stratalog/ports';
import { collectVocabulary } from '@stratalog/search-text';
import type { Database } from '../database/database';
import { pipelined } from '../database/pipelined';
import { PostgresIndex, onTables, requireMoved } from '../index-versions/postgres-index';
import { decodeIds } from './facet-counts';
import type { FacetValues } from './facet-values';
import { countFacets } from './search-facets';
import { excludesTokens } from './statements/matching';
import { WALK_LIMITS } from './statements/page-reader';
import { isRanked, runRanked, runUnranked } from './statements/run-search';
import { readMatches, readPosition, type CountRow } from './statements/search-rows';
import { readInfixWords } from './infix-words';
import { KnownTexts } from './known-texts';
import type { TokenUpkeep } from './token-upkeep';
import { searchTablesOf, type SearchTables } from './search-tables';
import { encodeDocuments, writeStatement } from './search-write';

/** Implements one version of the search index: a table of documents and a checkpoint. */
export class PostgresSearchIndex extends PostgresIndex implements SearchIndex {
  private readonly tables: SearchTables;
  private readonly words = new KnownTexts();

  constructor(
    database: Database,
    indexVersion: IndexVersion,
    private readonly upkeep: TokenUpkeep,
    private readonly facetValues: FacetValues,
    private readonly walkLimits = WALK_LIMITS,
  ) {
    super(database, 'search', indexVersion);
    this.tables = searchTablesOf(this.indexVersion);
  }

  async write(documents: readonly SearchDocument[], position: PartitionSequences = new Map()): Promise<void> {
    if (documents.length > 0) this.database.requireRoom();
    const ids = await this.facetValues.store(documents);
    const encoded = await inSlices(encodeDocuments(documents, ids));
    const words = this.words.selectNew(documents.flatMap(({ text }) => collectVocabulary(text)));
    const statement = writeStatement(this.tables, this.indexVersion, {
      documents: encoded,
      words,
      position,
    });
    const writing = this.database.use((client) =>
      pipelined([
        client.query('begin'),
        // A cached plan outlives the table size that it was made for: a plan for a small table would scan a large one.
        client.query('set local enable_seqscan = off'),
        client.query(statement),
        client.query('commit'),
      ]),
    );
    const [, , moved] = await onTables(writing);
    requireMoved(position, moved);
    this.words.add(words);
    await this.upkeep.wrote(documents.length);
  }

  async search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionSequences }> {
    const wordsWith = await readInfixWords(request, (pattern, limit) => this.selectWords(pattern, limit));
    const { movedBefore } = this.upkeep;
    const search = { tables: this.tables, indexVersion: this.indexVersion, request, wordsWith, movedBefore };
    if (movedBefore === undefined && excludesTokens(search)) this.upkeep.move();
    let facets: Promise<readonly Facet[]> = Promise.resolve([]);
    const onCounted = (counted: CountRow | undefined): void => {
      facets = countFacets(request, (group) => readMatches(counted, group), this.facetValues);
      // When the page cannot be read, the caller gets that error, and does not wait for the facets.
      facets.catch(() => undefined);
    };
    const { counted, hits } = await onTables(
      this.database.search((client) =>
        isRanked(request)
          ? runRanked(client, search, onCounted)
          : runUnranked(client, search, { limits: this.walkLimits, onCounted }),
      ),
    );
    return { total: counted?.total ?? 0, hits, facets: await facets, position: readPosition(counted) };
  }

  readWords(limit: number): Promise<readonly string[]> {
    return this.selectWords('%', limit);
  }

  async readValues(urns: readonly string[]): Promise<ReadonlyMap<string, SearchHit['values']>> {
    const rows = await this.select<{ readonly urn: string; readonly body: string }>(
      `select urn, body from ${this.tables.documents} where urn = any($1::text[]) and not deleted`,
      [urns],
    );
    return new Map(rows.map(({ urn, body }) => [urn, JSON.parse(body) as SearchHit['values']]));
  }

  private async selectWords(pattern: string, limit: number): Promise<readonly string[]> {
    const rows = await this.select<{ readonly word: string }>(
      `select word from ${this.tables.words} where word like $1 limit $2`,
      [pattern, limit],
    );
    return rows.map(({ word }) => word);
  }

  async fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly EntryFingerprint[]> {
    const { documents, keys } = this.tables;
    const rows = await this.select<EntryFingerprint & { readonly ids: Buffer }>(
      `select urn, facet_ids || folder_ids as ids, md5(concat_ws(chr(10), entity_type, removed, deleted, weight, name_starts, body, names, tokens,
                (select string_agg(concat_ws(chr(9), is_first, is_last, is_lowest, is_highest, entry, whole), chr(10)
                                   order by entry, is_first, is_last, whole)
                   from ${keys} where document = d.id))) as fingerprint
         from ${documents} d where urn > $1 order by urn limit $2`,
      [after ?? '', limit],
    );
    const decoded = rows.map((row) => ({ ...row, ids: decodeIds(row.ids) }));
    const values = await this.facetValues.read([...new Set(decoded.flatMap(({ ids }) => ids))]);
    return decoded.map(({ ids, fingerprint, ...entry }) => {
      const facets = ids.map((id) => JSON.stringify(values.get(id))).sort();
      return { ...entry, fingerprint: hash('md5', [fingerprint, ...facets].join('\n')) };
    });
  }

  count(): Promise<number> {
    return this.selectTotal(`select count(*) as total from ${this.tables.documents}`);
  }

  filterPresent(urns: readonly string[]): Promise<readonly string[]> {
    return this.selectUrns(`select urn from ${this.tables.documents} where urn = any($1::text[])`, [urns]);
  }
}
