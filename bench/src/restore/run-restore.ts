import type { BenchOptions } from '../bench-options';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';
import { loadDatasets } from '../search/run-search';
import { BenchCatalog } from '../serve/catalog';
import { callAction } from '../timeseries/call-action';
import { measureTruncation } from './measure-truncation';
import { waitForTask, type Share } from './wait-for-task';

/** The goal: aspects that a rebuild takes from the store to searches, each second on two cores. */
const GOAL = 8_000;
const YEAR_MS = 31_557_600_000;

/** Loads datasets, rebuilds each index alongside the live one by a task, and writes alongside a truncation. */
export async function runRestore(
  run: BenchRun,
  report: Report,
  { quick, profileFolder }: BenchOptions,
): Promise<void> {
  const count = quick ? 1_000 : 100_000;
  const dataDir = run.newDataDir('catalog');
  await loadDatasets(run, report, { dataDir, count });
  const catalog = await BenchCatalog.start(run, { dataDir, indexing: true, isOperated: true }, profileFolder);
  await catalog.ready();
  const aspects = await catalog.commands.call('countAspects', undefined);
  for (const index of ['search', 'graph']) {
    const started = report.begin(`rebuilding the ${index} index`);
    const { seconds, shares, cpuCores } = await catalog.watching(`rebuild ${index}`, () =>
      rebuild(catalog, index),
    );
    report.add(started, {
      case: `rebuild the ${index} index to searchable`,
      sizes: { unit: 'aspects', datasets: count, aspects, secondHalfToFirst: toFlatness(shares) },
      seconds,
      rate: aspects / seconds,
      ...(cpuCores === undefined ? {} : { cpuCores }),
      ...(index === 'search' ? { goals: [{ of: 'rate', atLeast: GOAL }] } : {}),
    });
  }
  const lastMs = Date.now();
  const series = { timeseriesValues: quick ? 2_000 : 200_000, firstMs: lastMs - YEAR_MS, lastMs };
  await measureTruncation({ report, catalog, series, writes: quick ? 20 : 2_000 });
}

async function rebuild(
  catalog: BenchCatalog,
  index: string,
): Promise<{ readonly seconds: number; readonly shares: readonly Share[] }> {
  const asked = await callAction(catalog, '/operations?action=rebuildIndices', { index });
  const shares = await waitForTask(catalog, (asked as { readonly task: string }).task);
  return { seconds: shares.at(-1)?.seconds ?? 0, shares };
}

/** The rate of the last half of the entities as a share of that of the first half: 1 is flat. */
function toFlatness(shares: readonly Share[]): number {
  const last = shares.at(-1);
  const middle = shares.find(({ done }) => done >= (last?.done ?? 0) / 2);
  if (last === undefined || middle === undefined || last.seconds === middle.seconds || middle.seconds === 0)
    return 1;
  const first = middle.done / middle.seconds;
  const second = (last.done - middle.done) / (last.seconds - middle.seconds);
  return Math.round((second * 100) / first) / 100;
}
