/**
 * Reports at the end of the test run that `what` could not run, and `why`. Call it at the top of a suite,
 * next to the `skip`. With `CI=true` a missing `service` is a failure; missing `material` (files that only
 * some machines have) never is.
 */
declare function declareNotRun(declaration: {
  readonly what: string;
  readonly why: string;
  readonly missing: 'material' | 'service';
}): void;

/**
 * Scales a time limit for this machine: `ms`, written for the reference machine, times the current slowness
 * and load of this one (1 to 10). Every limit of a test, and every assertion about a time, uses it.
 *
 * **Units**: milliseconds.
 */
declare function limitMs(ms: number): number;
