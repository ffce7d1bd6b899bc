import type { BenchCatalog } from '../serve/catalog';
import { NEW_SHARE, WRITE_CONNECTIONS } from './ingest-sizes';
import { keepsUp, type Step } from './keeps-up';
import type { IngestBench } from './ingest-bench';
import { measured } from './write-cases';

const GROWTH = 1.5;
/** A confirmation takes longer than a step and may fail where the step passed. */
const RETREAT = 0.9;
const CONFIRMATIONS = 2;

/**
 * Finds the highest rate of writes at which the index stays within 5 s. It raises the rate until the index
 * does not, tries once more between the last two, and confirms the highest passing rate for longer.
 */
export async function highestIndexedRate(bench: IngestBench, catalog: BenchCatalog): Promise<void> {
  const { sizes, report } = bench;
  const started = report.begin('highest rate at which the index stays within 5 s');
  let passed = 0;
  let failed: number | undefined;
  let rate = sizes.firstStepRate;
  for (let step = 0; step < sizes.steps; step++) {
    if (keepsUp(await stepAt(bench, catalog, rate, sizes.stepSeconds))) passed = Math.max(passed, rate);
    else failed = Math.min(failed ?? rate, rate);
    rate = Math.round(failed === undefined ? passed * GROWTH : (passed + failed) / 2);
  }
  let confirmed: Step | undefined;
  for (let at = 0; at < CONFIRMATIONS && confirmed === undefined && passed > 0; at++) {
    const step = await stepAt(bench, catalog, passed, sizes.confirmSeconds);
    if (keepsUp(step)) confirmed = step;
    else passed = Math.round(passed * RETREAT);
  }
  report.add(started, {
    case: 'highest rate with the index within 5 s',
    sizes: {
      unit: 'writes',
      pacedRate: confirmed?.pacedRate ?? 0,
      oldestUnsearchableMs: confirmed === undefined ? 'none kept up' : Math.max(...confirmed.agesMs),
      newShare: NEW_SHARE,
    },
    seconds: confirmed?.seconds ?? 0,
    rate: 0,
    ...(confirmed === undefined ? {} : measured(confirmed.figures)),
  });
}

async function stepAt(
  { load, report }: IngestBench,
  catalog: BenchCatalog,
  rate: number,
  seconds: number,
): Promise<Step> {
  const { figures, agesMs, cpuCores } = await catalog.watching(`indexed-at-${String(rate)}`, () =>
    load.call('writePaced', {
      url: catalog.url,
      connections: WRITE_CONNECTIONS,
      newShare: NEW_SHARE,
      rate,
      seconds,
    }),
  );
  report.begin(
    `  ${String(rate)}/s for ${String(seconds)} s: wrote ${figures.rate.toFixed(0)}/s, ` +
      `oldest unsearchable ${(Math.max(...agesMs) / 1000).toFixed(2)} s`,
  );
  await catalog.commands.call('catchUp', { seconds: Infinity });
  return {
    pacedRate: rate,
    seconds,
    agesMs,
    figures: { ...figures, ...(cpuCores === undefined ? {} : { cpuCores }) },
  };
}
