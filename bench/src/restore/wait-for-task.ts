import { waitFor } from '@stratalog/harness';
import type { Called } from '../timeseries/call-action';

const POLL_MS = 250;
/** Far above a rebuild of a million datasets. */
const LIMIT_MS = 3_600_000;
const FAILED = ['failed', 'cancelled'];

/** How far a task was at a time since the wait began. */
export interface Share {
  readonly done: number;
  readonly seconds: number;
}

/**
 * Waits until a task is completed. Returns its progress over time.
 *
 * **Errors**: rejects when it fails, is cancelled, or takes longer than an hour.
 */
export async function waitForTask({ url }: Called, name: string): Promise<readonly Share[]> {
  const start = performance.now();
  const shares: Share[] = [];
  const isCompleted = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/operations/tasks/${name}`);
    const { state, progress } = (await answer.json()) as {
      readonly state: string;
      readonly progress: { readonly done: number };
    };
    shares.push({ done: progress.done, seconds: (performance.now() - start) / 1_000 });
    if (FAILED.includes(state)) throw new Error(`the task ${name} ${state}`);
    return state === 'completed';
  };
  await waitFor(isCompleted, { what: `the end of the task ${name}`, limitMs: LIMIT_MS, pollMs: POLL_MS });
  return shares;
}
