import { Database, PostgresAspectStore, openEmbeddedServer } from '@stratalog/adapters-postgres';
import { systemClock, Notifier } from '@stratalog/concurrency';
import { answerCommands } from '../processes/answer-commands';
import { ASPECTS_PER_ENTITY } from '../workload/make-aspects';
import { WriteWorkload, type PlannedWrite } from '../workload/write-workload';
import { toRows, writeBare, type WrittenAspects } from './bare-writes';

interface FloorFigures {
  readonly seconds: number;
  /** Writes as a client counts them: without the default aspects of a new entity. */
  readonly writes: number;
  readonly rows: number;
  readonly commits: number;
}

/** The commands of the process that runs SQL only. */
export interface FloorCommands {
  fill(argument: { readonly count: number }): Promise<FloorFigures>;
  write(argument: { readonly seconds: number; readonly newShare: number }): Promise<FloorFigures>;
  /** Writes new entities with all their aspects, `entities` in each commit, until there are `count`. */
  fillBatches(argument: { readonly count: number; readonly entities: number }): Promise<FloorFigures>;
  /** Writes all aspects of `entities` entities in each commit; `writes` are aspects then. */
  writeBatches(argument: FloorBatches): Promise<FloorFigures>;
}

interface FloorBatches {
  readonly seconds: number;
  readonly newShare: number;
  readonly entities: number;
}

const SEED = 1;
const ROWS_PER_COMMIT = 64;
const PARTITIONS = 16;

/**
 * Runs bare SQL on one connection of a server of its own: the same server, settings and schema as the
 * catalog's, and no catalog.
 */
export async function floor({ dataDir }: { readonly dataDir: string }): Promise<void> {
  const server = await openEmbeddedServer({ dataDir });
  const database = await Database.open({ url: server.url, poolSize: 2 });
  const changes = new Notifier();
  const { identity } = await PostgresAspectStore.open(database, {
    clock: systemClock,
    partitions: PARTITIONS,
    changes,
  });
  const workload = new WriteWorkload(SEED);
  const write = (next: () => readonly PlannedWrite[], aspects: WrittenAspects): Promise<FloorFigures> =>
    database.use(async (client) => {
      const start = performance.now();
      const figures = { writes: 0, rows: 0, commits: 0 };
      for (let batch = next(); batch.length > 0; batch = next()) {
        const rows = batch.flatMap((each) => toRows(each, aspects));
        await writeBare(client, rows, identity.partitions);
        figures.writes += batch.length * (aspects === 'all' ? ASPECTS_PER_ENTITY : 1);
        figures.rows += rows.length;
        figures.commits++;
      }
      return { ...figures, seconds: (performance.now() - start) / 1000 };
    });
  answerCommands<FloorCommands>({
    commands: {
      fill: ({ count }) => {
        const next = () => (workload.entityCount < count ? workload.newEntity() : undefined);
        return write(() => nextBatch(next), 'properties');
      },
      write: ({ seconds, newShare }) => {
        const end = performance.now() + seconds * 1000;
        const next = () => (performance.now() < end ? workload.next(newShare) : undefined);
        return write(() => nextBatch(next), 'properties');
      },
      fillBatches: ({ count, entities }) =>
        write(() => (workload.entityCount < count ? workload.nextDistinct(entities, 1) : []), 'all'),
      writeBatches: ({ seconds, newShare, entities }) => {
        const end = performance.now() + seconds * 1000;
        return write(() => (performance.now() < end ? workload.nextDistinct(entities, newShare) : []), 'all');
      },
    },
    end: async () => {
      await database.close();
      await server.stop();
    },
    dataDir,
  });
}

/**
 * Collects writes of distinct entities that make 64 rows together; one statement cannot write an entity
 * twice.
 */
function nextBatch(more: () => PlannedWrite | undefined): readonly PlannedWrite[] {
  const batch = new Map<string, PlannedWrite>();
  for (let rows = 0; rows < ROWS_PER_COMMIT;) {
    const write = more();
    if (write === undefined) break;
    if (!batch.has(write.urn)) rows += toRows(write, 'properties').length;
    batch.set(write.urn, write);
  }
  return [...batch.values()];
}
