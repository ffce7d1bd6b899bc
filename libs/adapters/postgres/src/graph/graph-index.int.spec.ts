import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EDGE_DIRECTIONS, LINEAGE_DIRECTIONS, type EntityEdges } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import { datasetUrn, indexVersionsOver, collectEdges, toEdge } from '@stratalog/testkit';
import type { PoolClient, QueryConfig } from 'pg';
import { edgePortions } from './edge-portions';
import type { PostgresGraphIndex } from './graph-index';
import { PostgresGraphIndexVersionStore } from './graph-index-version-store';
import { lineageColumnsStatement, lineageHopStatement, ordinaryHopStatement } from './graph-lineage';
import { lineageEdgesStatement, lineagePageStatement } from './graph-lineage-edges';
import { relatedStatement } from './graph-read';
import { graphTablesOf } from './graph-tables';
import { writeStatements } from './graph-write';
import { useSuiteDatabase } from '../testing/suite-database';

const HUB = 'urn:li:tag:hub';
const ENTITIES = 10_000;
const PAGE = 200;
const OTHERS = 200_000;
const FILL_LIMIT_MS = limitMs(120_000);

describe('the relationship graph in PostgreSQL', () => {
  const suite = useSuiteDatabase();
  let graph: PostgresGraphIndex;

  beforeAll(async () => {
    const identity = { storeId: 'a'.repeat(32), epoch: 1, mapping: 'm' };
    graph = await indexVersionsOver(new PostgresGraphIndexVersionStore(suite.database)).create(identity);
    for (let from = 0; from < ENTITIES; from += PAGE) await graph.write(entriesFrom(from, 1), new Map());
    await suite.database.use(fillWithOthers);
    await suite.database.use((client) => client.query('vacuum analyze'));
  }, FILL_LIMIT_MS);

  /** Edges of other entities, lineage in each direction among them: enough that any scan of the table would be noticed. */
  const fillWithOthers = async (client: PoolClient): Promise<void> => {
    const { edges } = graphTablesOf(graph.indexVersion);
    await client.query(
      `insert into ${edges} (source_key, relationship, destination_key, owner_key, aspect, source, destination,
                             is_lineage, is_upstream, created_ms, created_actor, updated_ms, updated_actor)
       select md5('a' || n)::uuid, 'TaggedWith', md5('b' || n)::uuid, md5('a' || n)::uuid, 'globalTags', 'a' || n, 'b' || n,
              n % 2 = 0, n % 4 = 0, 1, 'x', 1, 'x' from generate_series(1, $1) n`,
      [OTHERS],
    );
  };
  /** Every entity has the hub's tag and a tag of its own. */
  const entriesFrom = (from: number, seq: number): EntityEdges[] =>
    Array.from({ length: PAGE }, (_, at) => {
      const name = String(from + at);
      return collectEdges(datasetUrn(name), seq, {
        globalTags: [`TaggedWith ${HUB}`, `TaggedWith urn:li:tag:own.${name}`],
      });
    });
  /** Plans for these values, and as for a prepared statement with a generic plan. */
  const explainPlans = async ({ text, values }: QueryConfig): Promise<readonly string[]> =>
    suite.database.use(async (client) => {
      const plans = await Promise.all([
        client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values),
        client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`),
      ]);
      return plans.map(({ rows }) => rows.map((row) => row['QUERY PLAN']).join('\n'));
    });

  it.each(EDGE_DIRECTIONS)('finds edges by an index: %s', async (direction) => {
    const request = { urn: HUB, direction, relationships: ['TaggedWith'], start: 0, count: 100 };
    const statement = relatedStatement(graphTablesOf(graph.indexVersion), graph.indexVersion, request);
    for (const plan of await explainPlans(statement)) {
      expect(plan).not.toMatch(/Seq Scan on graph_edge/);
      expect(plan).toMatch(/Index (?:Only )?Scan (?:using|on) graph_edge/);
    }
  });

  it.each(LINEAGE_DIRECTIONS)('follows lineage by indices: %s', async (direction) => {
    const tables = graphTablesOf(graph.indexVersion);
    const [scope, limits] = [{ direction, level: 'ENTITY' } as const, { limitPerUrn: 10, limit: 100 }];
    const urns = Array.from({ length: 50 }, (_, at) => datasetUrn(String(at)));
    for (const statement of [
      lineageHopStatement(tables, graph.indexVersion, { ...scope, ...limits, urns }),
      lineagePageStatement(tables, graph.indexVersion, { ...scope, urn: HUB, start: 100, count: 10 }),
      lineageColumnsStatement(tables, HUB, direction, 10),
      lineageEdgesStatement(tables, {
        direction,
        ends: urns.map((near) => ({ near, far: HUB })),
        exceptVia: [],
        limitPerPair: 1,
      }),
    ]) {
      for (const plan of await explainPlans(statement)) expect(plan).not.toMatch(/Seq Scan on graph_edge/);
    }
  });

  it.each(LINEAGE_DIRECTIONS)('follows a hop without reading the table: %s', async (direction) => {
    const request = {
      direction,
      level: 'ENTITY',
      limitPerUrn: 10,
      limit: 100,
      urns: Array.from({ length: 50 }, (_, at) => datasetUrn(String(at))),
    } as const;
    for (const build of [ordinaryHopStatement, lineageHopStatement]) {
      const statement = build(graphTablesOf(graph.indexVersion), graph.indexVersion, request);
      for (const plan of await explainPlans(statement)) {
        expect(plan.match(/Index Only Scan using graph_edge/g)).toHaveLength(2);
      }
    }
  });

  it('keeps edges whose producer has a text that no index entry could hold', async () => {
    const [near, far] = [datasetUrn('by'), datasetUrn('long')];
    const via = randomBytes(6_000).toString('base64');
    const edge = toEdge(near, 'DownstreamOf', far, { isLineage: true, via });
    await graph.write([{ urn: near, seq: 1, sets: [{ aspectName: 'upstreamLineage', edges: [edge] }] }]);
    const scope = { direction: 'UPSTREAM', level: 'ENTITY' } as const;
    const { steps } = await graph.lineageHop({ ...scope, urns: [near], limitPerUrn: 9, limit: 9 });
    expect(steps).toEqual([{ near, far }]);
    const ends = { ends: steps, exceptVia: [], limitPerPair: 1 };
    expect(await graph.lineageEdges({ direction: 'UPSTREAM', ...ends })).toMatchObject([{ far, via }]);
  });

  it('writes by index scans in a large graph', async () => {
    const entries = entriesFrom(0, 2);
    const written = { portions: allSteps(edgePortions(entries)), position: new Map([[0, 1]]) };
    const tables = graphTablesOf(graph.indexVersion);
    const statements = [...writeStatements(tables, graph.indexVersion, entries, written)].flat();
    const queries = statements.filter((each): each is QueryConfig => typeof each !== 'string');
    expect(queries).toHaveLength(4);
    for (const plan of (await Promise.all(queries.map(explainPlans))).flat()) {
      expect(plan).not.toMatch(/Seq Scan on graph_(?!index_version)/);
    }
  });

  it('does not rewrite unchanged edges', async () => {
    const readRowLocations = () =>
      suite.database.use(async (client) => {
        const { edges } = graphTablesOf(graph.indexVersion);
        const { rows } = await client.query<{ ctid: string }>(`select ctid from ${edges} order by ctid`);
        return rows.map(({ ctid }) => ctid);
      });
    const before = await readRowLocations();
    await graph.write(entriesFrom(0, 3), new Map());
    expect(await readRowLocations()).toEqual(before);
  });

  it('returns a page and the total of a node with ten thousand edges', async () => {
    const request = { urn: HUB, direction: 'INCOMING', relationships: ['TaggedWith'] } as const;
    const last = await graph.related({ ...request, start: ENTITIES - 1, count: 10 });
    expect([last.total, last.related.map(({ entity }) => entity)]).toEqual([ENTITIES, [datasetUrn('9999')]]);
  });
});
