// For jest, before each suite: lets a suite report that it could not run a test, and why.
import { appendFileSync } from 'node:fs';
import process from 'node:process';

/**
 * The end of the run prints the line. `missing` is `material` for files that only some machines have, and
 * `service` for a store or server that the suite needs. With `CI=true` a missing service is a failure.
 */
globalThis.declareNotRun = ({ what, why, missing }) => {
  if (missing === 'service' && process.env.CI === 'true') throw new Error(`${what} could not run: ${why}`);
  const file = process.env.STRATALOG_NOT_RUN_FILE;
  if (file !== undefined) appendFileSync(file, `${what}: ${why}\n`);
};
