import type { JsonObject } from '@stratalog/json';

/**
 * Provenance that a producer sends with a proposal: `lastObserved` (epoch ms), `runId`, `lastRunId`, `pipelineName`,
 * ...
 */
export type SystemMetadata = JsonObject;

/** Run id of a write without a run id. */
export const NO_RUN_ID = 'no-run-id-provided';
