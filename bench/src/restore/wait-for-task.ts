import { setTimeout } from 'node:timers/promises';
import type { Called } from '../timeseries/call-action';

const POLL_MS = 250;
const FAILED = ['failed', 'cancelled'];

/** How far a task was at a time since the wait began. */
export interface Share {
  readonly done: number;
  readonly seconds: number;
}

/** Waits until a task is completed. Returns its progress over time. */
export async function waitForTask({ url }: Called, name: string): Promise<readonly Share[]> {
  const start = performance.now();
  const shares: Share[] = [];
  for (;;) {
    const answer = await fetch(`${url}/operations/tasks/${name}`);
    const { state, progress } = (await answer.json()) as {
      readonly state: string;
      readonly progress: { readonly done: number };
    };
    shares.push({ done: progress.done, seconds: (performance.now() - start) / 1_000 });
    if (state === 'completed') return shares;
    if (FAILED.includes(state)) throw new Error(`the task ${name} ${state}`);
    await setTimeout(POLL_MS);
  }
}
