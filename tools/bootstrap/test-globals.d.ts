/**
 * Says at the end of the test run that `what` could not run, and `why`. Called at the top of a suite, beside the `skip`.
 * With `CI=true` a missing `service` is a failure; missing `material` (files that only some machines have) never is.
 */
declare function declareNotRun(declaration: {
  readonly what: string;
  readonly why: string;
  readonly missing: 'material' | 'service';
}): void;

/**
 * A time limit for this machine: `ms`, written for the reference machine, times how much slower and more crowded this one is now
 * (1 to 10). Every limit of a test, and every assertion about a time, goes through it.
 *
 * **Units**: milliseconds.
 */
declare function limitMs(ms: number): number;
