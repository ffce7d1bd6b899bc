import type { FloorCommands } from '../floor/floor';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Worker } from '../processes/worker';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import { highestIndexedRate } from './highest-indexed-rate';
import { FULL, QUICK, type IngestSizes } from './ingest-sizes';
import { measureFloor } from './measure-floor';
import { pointReads } from './point-reads';
import { prepare, versionsFlat, writeFast, writeToSearchable } from './write-cases';

export interface BenchOptions {
  readonly quick: boolean;
  /** Where CPU profiles of the catalog process are put, if anywhere. */
  readonly profileFolder?: string;
}

/** What the cases of an ingest bench share. */
export interface IngestBench {
  readonly sizes: IngestSizes;
  readonly report: Report;
  readonly load: Worker<LoadCommands>;
  readonly floor: Worker<FloorCommands>;
}

/**
 * Everything about writing, and reading what was written. The floor is measured before, between and after the two main cases, so
 * that a machine which grows busier meanwhile shows.
 */
export async function runIngest(run: BenchRun, report: Report, options: BenchOptions): Promise<void> {
  report.begin('starting');
  const bench: IngestBench = {
    sizes: options.quick ? QUICK : FULL,
    report,
    load: await run.start<LoadCommands>('load', {}),
    floor: await run.start<FloorCommands>('floor', { dataDir: run.newDataDir('floor') }),
  };
  const startCatalog = (name: string, indexing: boolean): Promise<BenchCatalog> =>
    BenchCatalog.start(run, { dataDir: run.newDataDir(name), indexing }, options.profileFolder);

  const plain = await startCatalog('plain', false);
  report.runsOn(plain.serverProgram);
  await bench.floor.call('fill', { count: bench.sizes.entities });
  await prepare(bench, plain);
  const first = await measureFloor(bench);
  const indexingOff = await writeFast(bench, plain, 'write, indexing off');
  const second = await measureFloor(bench);
  indexingOff.compareWith(first, second);
  await versionsFlat(bench, plain);
  await plain.stop();

  const whole = await startCatalog('whole', true);
  await prepare(bench, whole);
  const indexingOn = await writeFast(bench, whole, 'write, indexing on');
  await catchUp(bench, whole);
  indexingOn.compareWith(second, await measureFloor(bench));
  await writeToSearchable(bench, whole);
  await highestIndexedRate(bench, whole);
  await pointReads(bench, whole);
  memory(bench, whole);
}

/** How long the index takes for what it fell behind while writes had the first call on the machine. */
async function catchUp({ report }: IngestBench, catalog: BenchCatalog): Promise<void> {
  const begun = report.begin('waiting for the index');
  const { behind, seconds } = await catalog.commands.call('catchUp', undefined);
  report.add(begun, {
    case: 'index catches up, no writes',
    sizes: { changesBehind: behind, unit: 'changes' },
    seconds,
    ...(behind === 0 ? {} : { rate: behind / seconds }),
  });
}

function memory({ report, sizes }: IngestBench, catalog: BenchCatalog): void {
  const begun = report.begin('memory');
  const residentMb = catalog.residentMb();
  report.add(begun, {
    case: 'memory after all writes and reads',
    sizes: { entitiesAtLeast: sizes.entities },
    seconds: 0,
    ...(residentMb === undefined ? {} : { residentMb }),
    goals: [{ of: 'residentMb', atMost: 700 }],
  });
}
