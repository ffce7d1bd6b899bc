import type { BenchOptions } from '../bench-options';
import { ASPECTS_PER_BATCH, ENTITIES_PER_BATCH, type Shape } from '../load/shaped-writes';
import type { FloorCommands } from '../floor/floor';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Floor, Goal } from '../report/measurement';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import type { IngestBench } from './ingest-bench';
import { FULL, NEW_SHARE, QUICK, WRITE_CONNECTIONS } from './ingest-sizes';
import { measureFloor } from './measure-floor';
import { betweenFloors } from './run-ingest';
import { compared, measured, resident, type Uncompared } from './write-cases';

interface ShapeCase {
  readonly name: string;
  /** Requests under way at the same time. */
  readonly connections: number;
  /** The aspects that one request writes. */
  readonly aspects: number;
  readonly newShare: number;
  readonly goals: readonly Goal[];
}

/**
 * As many producers as send batches at the same time: while some batches are committed, others are parsed,
 * and more wait to share the next commit.
 */
const BATCH_CONNECTIONS = 8;

const CASES: Readonly<Record<Shape, ShapeCase>> = {
  plain: {
    name: 'write, plain proposals',
    connections: WRITE_CONNECTIONS,
    aspects: 1,
    newShare: NEW_SHARE,
    goals: [],
  },
  batch: {
    name: 'write, batches of 200 aspects',
    connections: BATCH_CONNECTIONS,
    aspects: ASPECTS_PER_BATCH,
    newShare: NEW_SHARE,
    goals: [
      { of: 'rate', atLeast: 15_000 },
      { of: 'ratioToFloor', atLeast: 0.25 },
    ],
  },
  snapshot: {
    name: 'write, 50 snapshots a request',
    connections: BATCH_CONNECTIONS,
    aspects: ASPECTS_PER_BATCH,
    newShare: NEW_SHARE,
    goals: [],
  },
  patch: {
    name: 'write, patches',
    connections: WRITE_CONNECTIONS,
    aspects: 1,
    newShare: 0,
    goals: [],
  },
  conditional: {
    name: 'write, on condition',
    connections: WRITE_CONNECTIONS,
    aspects: 1,
    newShare: 0,
    goals: [],
  },
};

/** Measures single ways of writing, each between two measurements of its floor; nothing is indexed. */
export async function runShapes(
  run: BenchRun,
  report: Report,
  options: BenchOptions & { readonly shapes: readonly Shape[] },
): Promise<void> {
  report.begin('starting');
  const dataDir = run.newDataDir('plain');
  const [load, floor, catalog] = await Promise.all([
    run.start<LoadCommands>('load', {}),
    run.start<FloorCommands>('floor', { dataDir: run.newDataDir('floor') }),
    BenchCatalog.start(run, { dataDir, indexing: false }, options.profileFolder),
  ]);
  const bench: IngestBench = { sizes: options.quick ? QUICK : FULL, report, load, floor };
  await catalog.ready();
  report.runsOn(catalog.serverProgram);
  const { entities } = bench.sizes;
  report.begin(`filling a catalog with ${String(entities)} entities of four aspects`);
  await floor.call('fillBatches', { count: entities, entities: ENTITIES_PER_BATCH });
  await load.call('fillInBatches', { url: catalog.url, count: entities, connections: BATCH_CONNECTIONS });
  for (const shape of options.shapes) {
    const measureOwn = CASES[shape].aspects > 1 ? measureBatchFloor : measureFloor;
    await betweenFloors(
      () => measureOwn(bench),
      () => writeShape(bench, catalog, shape),
    );
  }
}

async function writeShape(
  { report, load, sizes }: IngestBench,
  catalog: BenchCatalog,
  shape: Shape,
): Promise<Uncompared> {
  const { name, connections, aspects, newShare, goals } = CASES[shape];
  const started = report.begin(name);
  const writes = { url: catalog.url, shape, connections, newShare };
  await load.call('writeShaped', { ...writes, seconds: sizes.warmSeconds });
  const figures = await catalog.watching(name, () =>
    load.call('writeShaped', { ...writes, seconds: sizes.writeSeconds }),
  );
  return compared(report, started, {
    case: name,
    sizes: {
      unit: 'aspects',
      p50Is: 'time of a request',
      aspectsPerRequest: aspects,
      entities: sizes.entities,
      connections,
      newShare,
    },
    ...measured({ ...figures, rate: figures.rate * aspects }),
    ...resident(catalog),
    goals,
  });
}

/** Measures aspects per second of bare SQL that writes the same batches. */
async function measureBatchFloor({ report, floor, sizes }: IngestBench): Promise<Floor> {
  const started = report.begin('floor: bare SQL, one connection, a batch a commit');
  const batches = { newShare: NEW_SHARE, entities: ENTITIES_PER_BATCH };
  await floor.call('writeBatches', { ...batches, seconds: sizes.warmSeconds / 3 });
  const { seconds, writes, rows, commits } = await floor.call('writeBatches', {
    ...batches,
    seconds: sizes.floorSeconds,
  });
  const rate = writes / seconds;
  report.add(started, {
    case: 'floor of batches',
    sizes: {
      unit: 'aspects',
      p50Is: 'mean time of a commit',
      aspectsPerCommit: ASPECTS_PER_BATCH,
      newShare: NEW_SHARE,
      rowsPerSecond: rows / seconds,
    },
    seconds,
    rate,
    p50Ms: (seconds * 1000) / commits,
  });
  return { what: 'bare SQL, one connection, a batch of 200 aspects a commit', rate };
}
