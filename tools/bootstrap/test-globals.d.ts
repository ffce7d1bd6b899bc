/**
 * Says at the end of the test run that `what` could not run, and `why`. Called at the top of a suite, beside the `skip`.
 * With `CI=true` a missing `service` is a failure; missing `material` (files that only some machines have) never is.
 */
declare function declareNotRun(declaration: {
  readonly what: string;
  readonly why: string;
  readonly missing: 'material' | 'service';
}): void;
