import { setTimeout } from 'node:timers/promises';
import { stringifyJson } from '@stratalog/json';
import { toLatencies } from '@stratalog/harness';
import type { Report } from '../report/report';
import type { BenchCatalog } from '../serve/catalog';
import { callAction } from '../timeseries/call-action';
import { MEASURED_URN, type Series } from '../workload/make-timeseries';
import { waitForTask } from './wait-for-task';

/** The goal: no writer waits longer for a truncation. */
const GOAL_MS = 100;

export interface TruncationBench {
  readonly report: Report;
  readonly catalog: BenchCatalog;
  readonly series: Series;
  /** Writes before the truncation, for comparison. */
  readonly writes: number;
}

/**
 * Measures how long single writes take while a truncation deletes values of the same entity: the two take the lock of one
 * partition. The same writes without a truncation come first.
 */
export async function measureTruncation({ report, catalog, series, writes }: TruncationBench): Promise<void> {
  await catalog.commands.call('loadTimeseriesValues', series);
  await measureWrites({ report, catalog }, 'write, one at a time', (count) => count >= writes);
  const task = (await callAction(catalog, '/operations?action=truncateTimeseriesAspect', {
    entityType: 'dataset',
    aspect: 'datasetProfile',
    endTimeMillis: series.lastMs,
    dryRun: false,
  })) as string;
  let isOver = false;
  const over = waitForTask(catalog, task).then(() => {
    isOver = true;
  });
  await measureWrites({ report, catalog }, 'write, one at a time, alongside a truncation', () => isOver);
  await over;
}

async function measureWrites(
  { report, catalog }: Pick<TruncationBench, 'report' | 'catalog'>,
  name: string,
  isDone: (count: number) => boolean,
): Promise<void> {
  const started = report.begin(name);
  const times: number[] = [];
  const start = performance.now();
  do {
    const sent = performance.now();
    await write(catalog, times.length);
    times.push(performance.now() - sent);
    // Lets the wait for the task read its state.
    await setTimeout(1);
  } while (!isDone(times.length));
  const { count, ...latencies } = toLatencies(times);
  report.add(started, {
    case: name,
    sizes: { unit: 'writes', writes: count },
    seconds: (performance.now() - start) / 1_000,
    ...latencies,
    goals: [{ of: 'maxMs', atMost: GOAL_MS }],
  });
}

function write(catalog: BenchCatalog, at: number): Promise<unknown> {
  const value = stringifyJson({
    name: 'measured',
    description: `written ${String(at)}`,
    customProperties: {},
  });
  return callAction(catalog, '/aspects?action=ingestProposal', {
    proposal: {
      entityType: 'dataset',
      entityUrn: MEASURED_URN,
      changeType: 'UPSERT',
      aspectName: 'datasetProperties',
      aspect: { value, contentType: 'application/json' },
    },
  });
}
