import type { JsonObject } from '../json/json';

/** Provenance that a producer sends along: `lastObserved` (epoch ms), `runId`, `lastRunId`, `pipelineName`, ... */
export type SystemMetadata = JsonObject;

/** Run id of a write that named none. */
export const NO_RUN_ID = 'no-run-id-provided';
