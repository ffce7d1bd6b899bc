import { Database, Doorbell, PostgresAspectStore, openEmbeddedServer } from '@stratalog/adapters-postgres';
import { systemClock } from '@stratalog/ports';
import { answerCommands } from '../processes/answer-commands';
import { WriteWorkload, type PlannedWrite } from '../workload/write-workload';
import { rowsOf, writeBare } from './bare-writes';

export interface FloorFigures {
  readonly seconds: number;
  /** Writes as a client would count them: what a new entity has from its beginning is none of its own. */
  readonly writes: number;
  readonly rows: number;
  readonly commits: number;
}

/** What the bench asks of the process that knows nothing but SQL. */
export interface FloorCommands {
  fill(argument: { readonly count: number }): Promise<FloorFigures>;
  write(argument: { readonly seconds: number; readonly newShare: number }): Promise<FloorFigures>;
}

const SEED = 1;
const ROWS_PER_COMMIT = 64;
const PARTITIONS = 16;

/** Bare SQL on one connection of a server of its own: the same server, settings and schema as the catalog's, and no catalog. */
export async function floor({ dataDir }: { readonly dataDir: string }): Promise<void> {
  const server = await openEmbeddedServer({ dataDir });
  const database = await Database.open({ url: server.url, poolSize: 2 });
  const changes = new Doorbell();
  const { identity } = await PostgresAspectStore.open(database, {
    clock: systemClock,
    partitions: PARTITIONS,
    changes,
  });
  const workload = new WriteWorkload(SEED);
  const write = (more: () => PlannedWrite | undefined): Promise<FloorFigures> =>
    database.use(async (client) => {
      const start = performance.now();
      const figures = { writes: 0, rows: 0, commits: 0 };
      for (let batch = batchOf(more); batch.length > 0; batch = batchOf(more)) {
        const rows = batch.flatMap(rowsOf);
        await writeBare(client, rows, identity.partitions);
        figures.writes += batch.length;
        figures.rows += rows.length;
        figures.commits++;
      }
      return { ...figures, seconds: (performance.now() - start) / 1000 };
    });
  answerCommands<FloorCommands>({
    commands: {
      fill: ({ count }) => write(() => (workload.entityCount < count ? workload.newEntity() : undefined)),
      write: ({ seconds, newShare }) => {
        const end = performance.now() + seconds * 1000;
        return write(() => (performance.now() < end ? workload.next(newShare) : undefined));
      },
    },
    end: async () => {
      await database.close();
      await server.stop();
    },
    dataDir,
  });
}

/** Writes of distinct entities that make 64 rows together; one statement cannot write an entity twice. */
function batchOf(more: () => PlannedWrite | undefined): readonly PlannedWrite[] {
  const batch = new Map<string, PlannedWrite>();
  for (let rows = 0; rows < ROWS_PER_COMMIT;) {
    const write = more();
    if (write === undefined) break;
    if (!batch.has(write.urn)) rows += rowsOf(write).length;
    batch.set(write.urn, write);
  }
  return [...batch.values()];
}
