import { COMMAND_STEPS } from './command-steps';
import { INGEST_STEPS } from './ingest-steps';
import { pageSteps } from './page-steps';
import { RUN_STEPS } from './run-steps';
import { SCRIPT_STEPS } from './script-steps';
import type { Step } from './step';

/** Every step for each release of the client, in this order, on an empty catalog. */
export function allSteps(): readonly Step[] {
  return [...COMMAND_STEPS, ...SCRIPT_STEPS, ...INGEST_STEPS, ...RUN_STEPS, ...pageSteps()];
}
