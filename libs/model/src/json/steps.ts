/**
 * Work that can be interrupted: between two steps whoever runs it may do something else first. One step takes far less than a
 * millisecond, or as long as the smallest piece that cannot be divided.
 */
export type Steps<T> = Generator<undefined, T>;

/** Does all steps at once, for work that is small or keeps nobody waiting. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
