import type { BenchOptions } from '../bench-options';
import type { FloorCommands } from '../floor/floor';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Floor, Goal } from '../report/measurement';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import { highestIndexedRate } from './highest-indexed-rate';
import type { IngestBench } from './ingest-bench';
import { FULL, QUICK } from './ingest-sizes';
import { measureFloor } from './measure-floor';
import { timeseriesReads } from './timeseries-reads';
import { prepare, versionsFlat, writeFast, writeToSearchable, type Uncompared } from './write-cases';

/**
 * Measures writing, and reading the writes. It measures the floor before and after each of the two main
 * cases, so that a change in the machine's load shows.
 */
export async function runIngest(run: BenchRun, report: Report, options: BenchOptions): Promise<void> {
  report.begin('starting');
  const startCatalog = async (name: string, indexing: boolean): Promise<BenchCatalog> => {
    const dataDir = run.newDataDir(name);
    const catalog = await BenchCatalog.start(run, { dataDir, indexing }, options.profileFolder);
    await catalog.ready();
    return catalog;
  };
  const [load, floor, plain] = await Promise.all([
    run.start<LoadCommands>('load', {}),
    run.start<FloorCommands>('floor', { dataDir: run.newDataDir('floor') }),
    startCatalog('plain', false),
  ]);
  const bench: IngestBench = { sizes: options.quick ? QUICK : FULL, report, load, floor };
  report.runsOn(plain.serverProgram);
  await bench.floor.call('fill', { count: bench.sizes.entities });
  await prepare(bench, plain);
  await betweenFloors(
    () => measureFloor(bench),
    () => writeFast(bench, plain, { name: 'write, indexing off', goals: WRITE_GOALS }),
  );
  await versionsFlat(bench, plain);
  await plain.stop();

  const whole = await startCatalog('whole', true);
  await prepare(bench, whole);
  await whole.commands.call('catchUp', { seconds: Infinity });
  await writeToSearchable(bench, whole, { rate: 500, goals: SEARCHABLE_GOALS });
  await highestIndexedRate(bench, whole);
  await timeseriesReads(bench, whole, [{ of: 'p99Ms', atMost: 5 }]);
  await betweenFloors(
    () => measureFloor(bench),
    async () => {
      const measured = await writeFast(bench, whole, { name: 'write, indexing on', goals: WRITE_GOALS });
      await catchUp(bench, whole);
      memory(bench, whole);
      // An index that is still catching up would slow the floor.
      await whole.stop();
      return measured;
    },
  );
}

const WRITE_GOALS: readonly Goal[] = [
  { of: 'rate', atLeast: 7_000 },
  { of: 'rate', atLeast: 5_000 },
  { of: 'ratioToFloor', atLeast: 0.55 },
];
const SEARCHABLE_GOALS: readonly Goal[] = [
  { of: 'p50Ms', atMost: 150 },
  { of: 'p99Ms', atMost: 1_000 },
];

/** Compares a case with its floor before and after it. */
export async function betweenFloors(
  measureOwnFloor: () => Promise<Floor>,
  measure: () => Promise<Uncompared>,
): Promise<void> {
  const before = await measureOwnFloor();
  const measured = await measure();
  measured.compareWith(before, await measureOwnFloor());
}

/** Measures how fast the index follows when no writes compete for the machine. */
async function catchUp({ report, sizes }: IngestBench, catalog: BenchCatalog): Promise<void> {
  const started = report.begin('how fast the index catches up');
  const { behind, left, seconds, cpuCores } = await catalog.watching('index catches up', () =>
    catalog.commands.call('catchUp', { seconds: sizes.catchUpSeconds }),
  );
  report.add(started, {
    case: 'index catches up, no writes',
    sizes: { changesBehind: behind, changesLeft: left, unit: 'changes' },
    seconds,
    ...(behind === 0 ? {} : { rate: (behind - left) / seconds }),
    ...(cpuCores === undefined ? {} : { cpuCores }),
  });
}

function memory({ report, sizes }: IngestBench, catalog: BenchCatalog): void {
  const started = report.begin('memory');
  const residentMb = catalog.residentMb();
  report.add(started, {
    case: 'memory after all writes and reads',
    sizes: { entitiesAtLeast: sizes.entities },
    seconds: 0,
    ...(residentMb === undefined ? {} : { residentMb }),
    goals: [{ of: 'residentMb', atMost: 700 }],
  });
}
