import { setTimeout } from 'node:timers/promises';
import { toLatencies, waitFor } from '@stratalog/harness';
import type { Report } from '../report/report';
import type { Called } from '../timeseries/call-action';
import { FOLLOWED_TEST, REVIEWED, writeAspect } from './define-tests';

/** The goal: how late a result is after the write that changes it. */
const GOAL_MS = 1_000;
const POLL_MS = 5;
/** Time between two changes. */
const PAUSE_MS = 50;
/** The tasks of the first start evaluate everything. */
const IDLE_POLL_MS = 250;
/** For any wait: the tasks of the first start may come first. */
const LIMIT_MS = 600_000;

interface Task {
  readonly state: string;
}

/** Measures the time from the acknowledgement of a write until its result can be read, one change at a time. */
export async function measureFollowing(
  report: Report,
  catalog: Called,
  urns: readonly string[],
): Promise<void> {
  report.begin('waiting for the first evaluation');
  for (const urn of urns) await writeAspect(catalog, urn, 'datasetProperties', { description: 'Not yet' });
  for (const urn of urns) await waitForResult(catalog, urn, 'failing');
  await waitFor(async () => !(await hasTasks(catalog)), {
    what: 'the tasks of the first start',
    limitMs: LIMIT_MS,
    pollMs: IDLE_POLL_MS,
  });
  const started = report.begin('following changes');
  const start = performance.now();
  const times: number[] = [];
  for (const urn of urns) {
    await writeAspect(catalog, urn, 'datasetProperties', { description: `${REVIEWED} today` });
    const written = performance.now();
    await waitForResult(catalog, urn, 'passing');
    times.push(performance.now() - written);
    await setTimeout(PAUSE_MS);
  }
  const { count, ...latencies } = toLatencies(times);
  report.add(started, {
    case: 'write to its result, one at a time',
    sizes: { unit: 'writes', writes: count },
    seconds: (performance.now() - start) / 1_000,
    ...latencies,
    goals: [{ of: 'p95Ms', atMost: GOAL_MS }],
  });
}

async function waitForResult({ url }: Called, urn: string, list: 'passing' | 'failing'): Promise<void> {
  const hasResult = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/entitiesV2/${encodeURIComponent(urn)}?aspects=List(testResults)`);
    const { aspects } = (await answer.json()) as {
      readonly aspects?: {
        readonly testResults?: { readonly value: Record<string, readonly { readonly test: string }[]> };
      };
    };
    const results = aspects?.testResults?.value[list] ?? [];
    return results.some(({ test }) => test === FOLLOWED_TEST);
  };
  await waitFor(hasResult, { what: `a ${list} test of ${urn}`, limitMs: LIMIT_MS, pollMs: POLL_MS });
}

async function hasTasks({ url }: Called): Promise<boolean> {
  const answer = await fetch(`${url}/operations/tasks?count=100`);
  const { tasks } = (await answer.json()) as { readonly tasks: readonly Task[] };
  return tasks.some(({ state }) => state === 'running' || state === 'queued');
}
