import type { Steps } from '@stratalog/model';

/** So long one piece of work keeps the process before it lets others run. */
const SLICE_MS = 8;

/**
 * Does work of many steps, and lets other requests run in between: no request holds the event loop for long, however large it is. Pieces
 * of several such works take turns, one in each round of the event loop, so that many together hold it no longer than one.
 *
 * **Errors**: what a step throws.
 */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let end = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() < end) continue;
    await turns.next();
    end = performance.now() + SLICE_MS;
  }
}

/** Who waits for a turn, the first come first. */
class Turns {
  private readonly waiting: (() => void)[] = [];

  next(): Promise<void> {
    return new Promise((begin) => {
      this.waiting.push(begin);
      if (this.waiting.length === 1) this.callNext();
    });
  }

  private callNext(): void {
    setImmediate(() => {
      this.waiting.shift()?.();
      if (this.waiting.length > 0) this.callNext();
    });
  }
}

/** There is one event loop in a process, and this is its queue. */
const turns = new Turns();
