import { beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryNode, ScoreTerm, SearchDocument, SearchRequest } from '@stratalog/domain';
import { datasetUrn, indexVersionsOver, projectDocument } from '@stratalog/testkit';
import type { PostgresSearchIndex } from '../search-index';
import { PostgresSearchIndexVersionStore } from '../search-index-version-store';
import type { PlannedSearch } from './matching';
import { rankedStatement } from './ranked-statement';
import { countStatement, pageByFields, pageByWeight, pageEndStatement } from './unranked-statements';
import type { SearchStatement } from './search-rows';
import { searchTablesOf } from '../search-tables';
import { useSuiteDatabase } from '../../testing/suite-database';

const DOCUMENTS = 400;
/** Facets whose ids exceed the target size of a row. */
const FACETS = { tags: Array.from({ length: 400 }, (_, n) => `urn:li:tag:${Math.sin(n).toString(36)}`) };
const WORD: QueryNode = { kind: 'word', anyOf: ['orders'] };
const RANKING: readonly ScoreTerm[] = [{ cases: [{ kind: 'word', anyOf: ['orders'], tier: 1, boost: 2 }] }];

/** Documents in an order other than that of their urns. */
function documents(): readonly SearchDocument[] {
  return Array.from({ length: DOCUMENTS }, (_, at) => {
    const urn = datasetUrn(`d${String((at * 149) % DOCUMENTS).padStart(4, '0')}`);
    const description = Array.from({ length: 300 }, (__, n) => `w${String((at * 31 + n) % 997)}`);
    return { ...projectDocument(urn, at + 1, { name: ['orders'], description }), facets: FACETS };
  });
}

function requestFor(query: QueryNode): SearchRequest {
  return {
    entityTypes: ['dataset'],
    query,
    start: 0,
    count: 10,
    facets: [{ fields: ['tags'] }],
    facetLimit: 20,
  };
}

/** Tests which data searches read when documents exceed the target size of a row. */
describe('searches of large documents', () => {
  const suite = useSuiteDatabase({ poolSize: 2 });
  let index: PostgresSearchIndex;

  beforeAll(async () => {
    index = await indexVersionsOver(new PostgresSearchIndexVersionStore(suite.database)).create({
      storeId: 'a'.repeat(32),
      epoch: 1,
      mapping: 'm',
    });
    await index.write(documents());
  });

  const toLines = async (text: string, values?: readonly unknown[]): Promise<readonly string[]> =>
    suite.database.use(async (client) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(text, values && [...values]);
      return rows.map((row) => row['QUERY PLAN'].trim());
    });

  it('keep in the row what they read of every match, and store large columns out of line', async () => {
    const { rows } = await suite.database.use((client) =>
      client.query(
        `select count(pg_column_toast_chunk_id(urn))::integer as urn, count(pg_column_toast_chunk_id(facet_ids))::integer as facets,
                count(pg_column_toast_chunk_id(names))::integer as names, count(pg_column_toast_chunk_id(tokens))::integer as tokens,
                min(length(facet_ids)) > 600 as large
           from ${index.name}`,
      ),
    );
    expect(rows).toEqual([{ urn: 0, facets: 0, names: 0, tokens: DOCUMENTS, large: true }]);
  });

  const plannedSearch = (request: SearchRequest): PlannedSearch => ({
    tables: searchTablesOf(index.indexVersion),
    indexVersion: index.indexVersion,
    request,
    wordsWith: () => [],
    movedBefore: undefined,
  });

  const explain = async ({ text, values }: SearchStatement): Promise<string> =>
    (await toLines(`explain (costs off, summary off) ${text}`, values)).join('\n');

  it('select the ranked hits of a page without sorting all matches', async () => {
    const statement = rankedStatement(plannedSearch({ ...requestFor(WORD), ranking: RANKING }));
    const lines = await toLines(
      `explain (analyze, costs off, timing off) ${statement.text}`,
      statement.values,
    );
    const matched = lines.findIndex((line) => line.includes('matched.urn COLLATE "C"'));
    expect(lines.slice(matched, matched + 3).join(' ')).toContain('top-N heapsort');
  });

  it('count the matches without keeping them, and read an unranked page in the order of an index', async () => {
    const search = plannedSearch(requestFor({ kind: 'all' }));
    expect(await explain(countStatement(search, 10))).not.toContain('CTE');
    await suite.database.use((client) => client.query(`analyze ${index.name}`));
    const page = await explain(pageByWeight(search, { kind: 'walk', walked: 10 }));
    expect(page).toContain(`Index Scan using ${index.name}_entity_type_weight_urn_idx`);
    expect(page).not.toContain('Bitmap');
  });

  it('find the end of a page in the order of the keys', async () => {
    const order = [{ field: 'name', isDescending: false }] as const;
    const search = plannedSearch({ ...requestFor({ kind: 'all' }), order });
    expect(await explain(pageEndStatement(search, order[0], 10))).not.toContain('Sort');
    expect(
      await explain(
        pageByFields(search, order, {
          from: { kind: 'matches' },
          until: { entry: 'name:a', isIncluded: true },
        }),
      ),
    ).toContain("entry <= 'name:a'::text");
  });

  it('use the token index with a generic plan', async () => {
    const { name, text } = rankedStatement(plannedSearch({ ...requestFor(WORD), ranking: RANKING }));
    expect(name).toMatch(/^search_document_\d+-[0-9a-f]{16}$/);
    const plan = await suite.database.use(async (client) => {
      await client.query('set enable_seqscan = off');
      // Without values, so that the server plans as for a prepared statement. The extended protocol would require them.
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan, costs off) ${text}`,
      );
      await client.query('reset enable_seqscan');
      return rows.map((row) => row['QUERY PLAN']);
    });
    expect(plan.some((line) => line.includes(`Bitmap Index Scan on ${index.name}_tokens`))).toBe(true);
  });

  it('answer several queries with one prepared statement', async () => {
    for (const [word, total] of [
      ['orders', DOCUMENTS],
      ['nothing', 0],
      ['w1', undefined],
      ['orders', DOCUMENTS],
    ] as const) {
      const result = await index.search({
        ...requestFor({ kind: 'word', anyOf: [word] }),
        ranking: RANKING,
      });
      expect(result.total).toBe(
        total ?? documents().filter(({ text }) => JSON.stringify(text).includes('"w1"')).length,
      );
    }
  });
});
