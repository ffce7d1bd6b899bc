import type { Steps } from '@stratalog/json';

/** Maximum time that one piece of work holds the event loop before it yields. */
const SLICE_MS = 3;

/**
 * Runs work of many steps and yields to other requests in between, so that no request holds the event loop for long.
 *
 * Concurrent calls take turns, one slice per round of the event loop. Many together hold it no longer than one.
 *
 * **Errors**: any error that a step throws.
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

/** A queue for the event loop, first come, first served. */
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

/** Module state, because a process has one event loop. */
const turns = new Turns();
