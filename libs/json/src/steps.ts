/**
 * Interruptible work: the runner may do other work between two steps.
 * One step takes far less than a millisecond, or as long as the smallest indivisible piece.
 */
export type Steps<T> = Generator<undefined, T>;

/** Runs all steps at once. Use it for small work, or where no other request waits. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const ITEMS_A_STEP = 256;

/** Calls `work` for each item, in steps. */
export function* forEachInSteps<T>(items: Iterable<T>, work: (item: T) => void): Steps<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    if (++done % ITEMS_A_STEP === 0) yield;
  }
}
