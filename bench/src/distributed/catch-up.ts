import { waitFor } from '@stratalog/harness';
import type { Report } from '../report/report';
import type { DistributedCatalog } from './distributed-catalog';

const LOOK_MS = 20;
/** Far above the time of any run. */
const LIMIT_MS = 3_600_000;

/** Waits until searches include every change. */
export async function catchUp(report: Report, catalog: DistributedCatalog, name: string): Promise<void> {
  const started = report.begin(name);
  const { changes, seconds, cpuCores } = await catalog.watching(name, () => untilCaughtUp(catalog.url));
  report.add(started, {
    case: name,
    sizes: { unit: 'changes', changesBehind: changes },
    seconds,
    ...(changes === 0 ? {} : { rate: changes / seconds }),
    cpuCores,
  });
}

/** Returns the lag at first, and the time until it was gone. */
async function untilCaughtUp(url: string): Promise<{ readonly changes: number; readonly seconds: number }> {
  const start = performance.now();
  const changes = await readLag(url);
  await waitFor(async () => (await readLag(url)) === 0, {
    what: 'searches that include every change',
    limitMs: LIMIT_MS,
    pollMs: LOOK_MS,
  });
  return { changes, seconds: (performance.now() - start) / 1000 };
}

async function readLag(url: string): Promise<number> {
  const answer = await fetch(`${url}/entities?action=search`, {
    method: 'POST',
    body: '{"input":"qqzzqqzz","entity":"dataset","start":0,"count":1}',
  });
  await answer.arrayBuffer();
  return Number(answer.headers.get('x-stratalog-lag'));
}
