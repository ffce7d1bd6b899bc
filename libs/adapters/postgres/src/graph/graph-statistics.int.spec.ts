import { beforeAll, describe, expect, it } from '@jest/globals';
import { LINEAGE_DIRECTIONS, type EntityEdges } from '@stratalog/domain';
import { collectEdges, datasetUrn, indexVersionsOver, toEdge, until } from '@stratalog/testkit';
import type { QueryConfig } from 'pg';
import { useSuiteDatabase } from '../testing/suite-database';
import type { PostgresGraphIndex } from './graph-index';
import { PostgresGraphIndexVersionStore } from './graph-index-version-store';
import { lineageEdgesStatement, lineagePageStatement } from './graph-lineage-edges';
import { graphTablesOf } from './graph-tables';

const NEIGHBOURS = 2_000;
const [FORMER, HUB] = [datasetUrn('former'), datasetUrn('hub')];

describe('lineage of a hub that no statistics know', () => {
  const suite = useSuiteDatabase();
  let graph: PostgresGraphIndex;

  beforeAll(async () => {
    const identity = { storeId: 'a'.repeat(32), epoch: 1, mapping: 'm' };
    graph = await indexVersionsOver(new PostgresGraphIndexVersionStore(suite.database)).create(identity);
    const { edges } = graphTablesOf(graph.indexVersion);
    const run = (sql: string) => suite.database.use((client) => client.query(sql));
    await run(`alter table ${edges} set (autovacuum_enabled = false)`);
    await graph.write([toEntry(FORMER, 1, NEIGHBOURS), ...toTagged(1)]);
    await graph.write([toEntry(FORMER, 2, 0)]);
    // The server learns that there are no edges of lineage, and nothing of those that come after this.
    await run('vacuum analyze');
    await graph.write([toEntry(HUB, 3, NEIGHBOURS), ...toNeighbours(4)]);
  });

  /** Every entity is upstream of the hub and downstream of it. */
  const toEntry = (urn: string, seq: number, count: number): EntityEdges => {
    const edges = Array.from({ length: count }, (_, at) =>
      toEdge(urn, 'DownstreamOf', datasetUrn(`n.${String(at)}`), { isLineage: true }),
    );
    return { urn, seq, sets: [{ aspectName: 'upstreamLineage', edges }] };
  };
  const toNeighbours = (seq: number): EntityEdges[] =>
    Array.from({ length: NEIGHBOURS }, (_, at) => {
      const urn = datasetUrn(`n.${String(at)}`);
      const edges = [toEdge(urn, 'DownstreamOf', HUB, { isLineage: true })];
      return { urn, seq, sets: [{ aspectName: 'upstreamLineage', edges }] };
    });
  const toTagged = (seq: number): EntityEdges[] =>
    Array.from({ length: NEIGHBOURS }, (_, at) =>
      collectEdges(datasetUrn(`t.${String(at)}`), seq, {
        globalTags: [`TaggedWith urn:li:tag:own.${String(at)}`],
      }),
    );
  /** Counts the blocks that a statement reads. */
  const countBlocks = ({ text, values }: QueryConfig): Promise<number> =>
    suite.database.use(async (client) => {
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Record<string, unknown> }[] }>(
        `explain (analyze, buffers, timing off, format json) ${text}`,
        values,
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
      return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
    });

  it.each(LINEAGE_DIRECTIONS)('reads each neighbour once: %s', async (direction) => {
    const tables = graphTablesOf(graph.indexVersion);
    const scope = { direction, level: 'ENTITY' } as const;
    const { edges } = await graph.lineagePage({ ...scope, urn: HUB, start: 0, count: NEIGHBOURS });
    expect(edges).toHaveLength(NEIGHBOURS);
    const ends = edges.map(({ near, far }) => ({ near, far }));
    for (const statement of [
      lineagePageStatement(tables, graph.indexVersion, { ...scope, urn: HUB, start: 0, count: NEIGHBOURS }),
      lineageEdgesStatement(tables, { direction, ends, exceptVia: [], limitPerPair: 1 }),
      lineageEdgesStatement(tables, {
        direction,
        ends: ends.map(({ near, far }) => ({ near: far, far: near })),
        exceptVia: [],
        limitPerPair: 1,
      }),
    ])
      // Two indices of three levels, and a row of the table.
      expect(await countBlocks(statement)).toBeLessThan(10 * NEIGHBOURS);
  });

  it('scans no table by a plan that was made when it was small', async () => {
    const identity = { storeId: 'b'.repeat(32), epoch: 2, mapping: 'm' };
    const small = await indexVersionsOver(new PostgresGraphIndexVersionStore(suite.database)).create(
      identity,
    );
    const { edges } = graphTablesOf(small.indexVersion);
    await suite.database.use((client) =>
      client.query(`alter table ${edges} set (autovacuum_enabled = false)`),
    );
    await small.write([toEntry(FORMER, 1, 1)]);
    await suite.database.use((client) => client.query(`vacuum analyze ${edges}`));
    const ends = Array.from({ length: 200 }, (_, at) => ({
      near: datasetUrn(`n.${String(at)}`),
      far: FORMER,
    }));
    const countScans = async () => {
      const statement =
        'select seq_tup_read::integer as read, idx_scan::integer as looked from pg_stat_user_tables where relname = $1';
      const { rows } = await suite.database.use((client) =>
        client.query<{ read: number; looked: number }>(statement, [edges]),
      );
      return rows[0] ?? { read: 0, looked: 0 };
    };
    const before = await countScans();
    await until(async () => {
      const found = await small.lineageEdges({
        direction: 'DOWNSTREAM',
        ends,
        exceptVia: [],
        limitPerPair: 1,
      });
      expect(found).toHaveLength(1);
      return (await countScans()).looked >= before.looked + 8 * ends.length;
    });
    expect((await countScans()).read).toBe(before.read);
  });
});
