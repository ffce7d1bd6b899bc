import { Database, openEmbeddedServer } from '@stratalog/adapters-postgres';
import { answerCommands } from '../processes/answer-commands';
import { generateLineage, type LineageSizes } from '../workload/lineage-generator';

interface RecursiveWalks {
  /** Where each walk starts; it goes downstream. */
  readonly urns: readonly string[];
  readonly hops: number;
  readonly connections: number;
}

interface RecursiveFigures {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
  /** Entities that the last walk found. */
  readonly found: number;
}

/** The commands of the process with a plain edge table. */
export interface EdgeTableCommands {
  load(sizes: LineageSizes): Promise<{ readonly edges: number; readonly seconds: number }>;
  walk(walks: RecursiveWalks): Promise<RecursiveFigures>;
}

const POOL = 10;
const ROWS_A_COMMIT = 10_000;

/** The whole answer is one row: urns with their least number of hops, as JSON. */
const WALK = `
with recursive walk(urn, degree) as (
  select $1::text collate "C", 0
  union
  select e.source, w.degree + 1 from walk w join bench_edge e on e.destination = w.urn where w.degree < $2
)
select json_agg(json_build_array(urn, degree)) as found
  from (select urn, min(degree) as degree from walk group by urn order by 2, 1) d where degree > 0`;

/** Walks by a recursive statement over a plain edge table, on a server of its own with the settings of the catalog's. */
export async function edgeTable({ dataDir }: { readonly dataDir: string }): Promise<void> {
  const server = await openEmbeddedServer({ dataDir });
  const database = await Database.open({ url: server.url, poolSize: POOL });
  answerCommands<EdgeTableCommands>({
    commands: {
      load: (sizes) => load(database, sizes),
      walk: (walks) => walk(database, walks),
    },
    end: async () => {
      await database.close();
      await server.stop();
    },
    dataDir,
  });
}

async function load(
  database: Database,
  sizes: LineageSizes,
): Promise<{ readonly edges: number; readonly seconds: number }> {
  const start = performance.now();
  let edges = 0;
  await database.use((client) =>
    client.query(`create table bench_edge (source text collate "C", destination text collate "C")`),
  );
  for (const rows of inRows(sizes)) {
    edges += rows.length;
    await database.use((client) =>
      client.query('insert into bench_edge select * from unnest($1::text[], $2::text[])', [
        rows.map(([source]) => source),
        rows.map(([, destination]) => destination),
      ]),
    );
  }
  await database.use(async (client) => {
    await client.query('create index on bench_edge (destination, source)');
    await client.query('vacuum analyze bench_edge');
  });
  return { edges, seconds: (performance.now() - start) / 1000 };
}

function* inRows(sizes: LineageSizes): Generator<readonly (readonly [string, string])[]> {
  let rows: (readonly [string, string])[] = [];
  for (const { urn, upstreams } of generateLineage(sizes)) {
    for (const upstream of upstreams) rows.push([urn, upstream]);
    if (rows.length < ROWS_A_COMMIT) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

async function walk(
  database: Database,
  { urns, hops, connections }: RecursiveWalks,
): Promise<RecursiveFigures> {
  const left = urns.values();
  const latenciesMs: number[] = [];
  let found = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let urn = left.next(); urn.done !== true; urn = left.next()) {
        const startMs = performance.now();
        const { rows } = await database.use((client) =>
          client.query<{ found: readonly unknown[] | null }>({
            name: 'bench-walk',
            text: WALK,
            values: [urn.value, hops],
          }),
        );
        found = rows[0]?.found?.length ?? 0;
        latenciesMs.push(performance.now() - startMs);
      }
    }),
  );
  return { seconds: (performance.now() - start) / 1000, latenciesMs, found };
}
