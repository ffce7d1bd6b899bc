import { waitFor } from '@stratalog/harness';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';
import { BenchCatalog } from '../serve/catalog';

const POLL_MS = 15_000;
/** Far above the time of a busy machine for a million datasets. */
const LIMIT_MS = 7_200_000;

interface Description {
  readonly done?: number;
  readonly total?: number;
}

/** Builds the indices of a catalog that was loaded without them, and says now and then how far it is. */
export async function buildIndexes(run: BenchRun, report: Report, dataDir: string): Promise<void> {
  const catalog = await BenchCatalog.start(run, { dataDir, indexing: true, isOperated: true });
  let isReady = false;
  const ready = catalog.ready().then(() => {
    isReady = true;
  });
  const isBuilt = async (): Promise<boolean> => {
    if (isReady) return true;
    const { done, total } = await describe(catalog.url);
    report.begin(`building the search index: ${String(done ?? 0)} of ${String(total ?? '?')}`);
    return false;
  };
  const built = waitFor(isBuilt, { what: 'the indices', limitMs: LIMIT_MS, pollMs: POLL_MS });
  await Promise.all([ready, built]);
  await catalog.stop();
}

async function describe(url: string): Promise<Description> {
  const answer = await fetch(`${url}/operations?action=describeIndex`, {
    method: 'POST',
    body: JSON.stringify({ index: 'search' }),
  });
  const { value } = (await answer.json()) as { readonly value?: Description };
  return value ?? {};
}
