import { FULL, NEW_SHARE, QUICK, WRITE_CONNECTIONS } from '../ingest/ingest-sizes';
import { timeseriesReads } from '../ingest/timeseries-reads';
import type { BenchOptions } from '../bench-options';
import {
  pacedUntilSearchable,
  prepare,
  resident,
  writeFast,
  writeToSearchable,
  type WriteBench,
} from '../ingest/write-cases';
import type { LoadCommands } from '../load/load';
import type { BenchRun } from '../processes/bench-run';
import type { Goal } from '../report/measurement';
import type { Report } from '../report/report';
import { catchUp } from './catch-up';
import { DistributedCatalog } from './distributed-catalog';
import { kafkaFloor } from './floors';
import { startServers } from './servers';

const SEARCHABLE_RATE = 300;

/** Measures writing over HTTP through the proxy, with every app on this machine. */
export async function runDistributedIngest(
  run: BenchRun,
  report: Report,
  { quick }: Pick<BenchOptions, 'quick'>,
): Promise<void> {
  const sizes = quick ? QUICK : FULL;
  report.begin('starting');
  const servers = await startServers(run, report);
  const load = await run.start<LoadCommands>('load', {});
  const before = await kafkaFloor(report, servers, sizes.floorSeconds);
  const catalog = await DistributedCatalog.start(run, servers, 1);
  const bench = { sizes, report, load };
  await prepare(bench, catalog);
  await warmServers(bench, catalog);
  await catchUp(report, catalog, 'index catches up after the warm-up, no writes');
  await writeToSearchable(bench, catalog, {
    rate: SEARCHABLE_RATE,
    goals: [{ of: 'p50Ms', atMost: 300 }],
  });
  const goals: readonly Goal[] = [{ of: 'rate', atLeast: 2_500 }];
  const { url, ingestUrl } = catalog;
  const written = [
    await writeFast(bench, catalog, { name: 'write through the proxy, everything on', url, goals }),
    await writeFast(bench, catalog, {
      name: 'write to the ingest app, everything on',
      url: ingestUrl,
      goals,
    }),
  ];
  await catchUp(report, catalog, 'index catches up, no writes');
  await timeseriesReads(bench, catalog, []);
  report.add(report.begin('memory'), {
    case: 'memory of the whole stack',
    sizes: { entitiesAtLeast: sizes.entities },
    seconds: 0,
    ...resident(catalog),
    goals: [{ of: 'residentMb', atMost: 3_072 }],
  });
  await catalog.stop();
  const after = await kafkaFloor(report, servers, sizes.floorSeconds);
  for (const each of written) each.compareWith(before, after);
}

/** Short, because the catalog closes idle connections, and at times few are in use. */
const WARM_STRETCH_SECONDS = 20;

/**
 * Runs the next measurement's load, so that the servers have compiled their code. It starts without searches,
 * because the index is far behind then.
 */
async function warmServers({ report, load, sizes }: WriteBench, { url }: DistributedCatalog): Promise<void> {
  const rate = SEARCHABLE_RATE;
  const { serversWarmSeconds, searchesWarmSeconds } = sizes;
  const all = String(serversWarmSeconds + searchesWarmSeconds);
  report.begin(`${String(rate)} writes/s for ${all} s, so that the servers are warm`);
  const writes = { url, connections: WRITE_CONNECTIONS, newShare: NEW_SHARE, rate };
  await inStretches(serversWarmSeconds, (seconds) => load.call('writePaced', { ...writes, seconds }));
  await inStretches(searchesWarmSeconds, (seconds) => pacedUntilSearchable(load, url, { rate, seconds }));
}

async function inStretches(total: number, run: (seconds: number) => Promise<unknown>): Promise<void> {
  for (let done = 0; done < total; done += WARM_STRETCH_SECONDS) {
    await run(Math.min(WARM_STRETCH_SECONDS, total - done));
  }
}
