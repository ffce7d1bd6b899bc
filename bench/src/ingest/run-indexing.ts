import type { BenchOptions } from '../bench-options';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Goal } from '../report/measurement';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';
import { FULL, NEW_SHARE, QUICK, WRITE_CONNECTIONS } from './ingest-sizes';
import { measured, prepare, writeFast, writeToSearchable, type WriteBench } from './write-cases';

const PACED_RATE = 500;
const PACED_GOALS: readonly Goal[] = [
  { of: 'p95Ms', atMost: 15 },
  { of: 'cpuMsEach', atMost: 1.2 },
];

/** Measures what indexing costs a write: the highest rates without and with it in one run, and a steady rate. */
export async function runIndexing(run: BenchRun, report: Report, options: BenchOptions): Promise<void> {
  report.begin('starting');
  const load = await run.start<LoadCommands>('load', {});
  const bench: WriteBench = { sizes: options.quick ? QUICK : FULL, report, load };
  const start = async (name: string, indexing: boolean): Promise<BenchCatalog> => {
    const dataDir = run.newDataDir(name);
    const catalog = await BenchCatalog.start(run, { dataDir, indexing }, options.profileFolder);
    await catalog.ready();
    report.runsOn(catalog.serverProgram);
    await prepare(bench, catalog);
    return catalog;
  };

  const plain = await start('plain', false);
  const off = await writeFast(bench, plain, { name: 'write, indexing off', goals: [] });
  off.compareWith();
  await writePaced(bench, plain, false, []);
  await plain.stop();

  const whole = await start('whole', true);
  await whole.commands.call('catchUp', { seconds: Infinity });
  await writePaced(bench, whole, true, PACED_GOALS);
  await writeToSearchable(bench, whole, { rate: PACED_RATE, goals: [{ of: 'p50Ms', atMost: 80 }] });
  const goals = [{ of: 'ratioToFloor', atLeast: 0.5 }] as const;
  const on = await writeFast(bench, whole, { name: 'write, indexing on', goals });
  on.compareWith({ what: 'the same in the same run, indexing off', rate: off.rate });
}

/** Measures a steady rate without searches, so that the processor time is that of writing and indexing. */
async function writePaced(
  { load, report, sizes }: WriteBench,
  catalog: BenchCatalog,
  indexing: boolean,
  goals: readonly Goal[],
): Promise<void> {
  const name = `write, indexing ${indexing ? 'on' : 'off'}, at ${String(PACED_RATE)}/s`;
  const started = report.begin(name);
  const mix = { url: catalog.url, connections: WRITE_CONNECTIONS, newShare: NEW_SHARE };
  const { figures, agesMs, cpuCores } = await catalog.watching(name, () =>
    load.call('writePaced', { ...mix, rate: PACED_RATE, indexing, seconds: sizes.searchableSeconds }),
  );
  report.add(started, {
    case: name,
    sizes: {
      unit: 'writes',
      pacedRate: PACED_RATE,
      newShare: NEW_SHARE,
      ...(agesMs.length > 0 ? { oldestUnsearchableMs: Math.max(...agesMs) } : {}),
    },
    ...measured({ ...figures, ...(cpuCores === undefined ? {} : { cpuCores }) }),
    goals,
  });
}
