import { restateEntities, type RestateDeps } from '@stratalog/indexing';
import { formatPosition, parseSequences, type PartitionSequences } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import type { AspectStore, StoreTransaction, TimeseriesStorage } from '@stratalog/ports';
import { listSearchedTimeseries, type EntityRegistry } from '@stratalog/registry';
import {
  defineTaskKind,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import { FIRST_BATCH, adaptBatch } from './batch-size';
import { describePlan } from './truncation-text';

export interface TruncationDeps extends RestateDeps {
  readonly registry: EntityRegistry;
  readonly store: Pick<AspectStore, 'identity'>;
  readonly timeseries: TimeseriesStorage;
}

const PARAMETERS = z.object({
  entityType: z.string(),
  aspect: z.string(),
  urnPrefix: z.string(),
  endTimeMillis: z.number(),
  batchSize: z.number(),
  timeoutSeconds: z.number(),
  forceDeleteByQuery: z.boolean().nullable(),
  forceReindex: z.boolean().nullable(),
});
export type TruncationParameters = z.infer<typeof PARAMETERS>;

const CHECKPOINT = z.object({
  /** Last sequence number of each partition at the start: the truncation is about the values of that instant. */
  position: z.record(z.string(), z.number()),
  matching: z.number(),
  total: z.number(),
  isPublished: z.boolean(),
  batches: z.number(),
  after: z.object({ urn: z.string(), timestampMs: z.number(), valueKey: z.string() }).nullable(),
  /** Values that the next batch deletes at most. */
  batch: z.number().default(FIRST_BATCH),
  /** Entities that lost the latest value of a searched aspect in the last batch; they are restated before the next one. */
  stale: z.array(z.string()).default([]),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

const PUBLISH_POLL_MS = 250;

/**
 * Makes the kind of task that deletes the values of a timeseries aspect up to a time.
 *
 * It deletes exactly the values that a count at its start saw, unless another write replaces or deletes them meanwhile.
 * Each batch is one transaction with its checkpoint, so a crash neither repeats nor miscounts a value. Entities that lost the
 * latest value of a searched aspect are restated after it, so that searches do not find them by it any more.
 */
export function truncationTask(deps: TruncationDeps): TaskKind<TruncationParameters> {
  return defineTaskKind({
    name: 'truncate-timeseries',
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    // The count of a later truncation would include what this one deletes.
    subjects: ({ entityType, aspect }) => [`values ${entityType} ${aspect}`],
    start: (context) => start(deps, context),
    step: {
      isWithin: ({ stale }) => stale.length === 0,
      within: (context, at, transaction) => step(deps, context, { ...at, transaction }),
      alone: async (context, at) => {
        await restateEntities(deps, at.checkpoint.stale, context.actor);
        return { kind: 'next', ...at, checkpoint: { ...at.checkpoint, stale: [] } };
      },
    },
    obey: async (request, context, { checkpoint }) => {
      if (request === 'cancel') await restateEntities(deps, checkpoint.stale, context.actor);
    },
  });
}

async function start(
  { timeseries }: TruncationDeps,
  { parameters }: TaskContext<TruncationParameters>,
): Promise<TaskStanding<Checkpoint>> {
  const { urnPrefix, aspect: aspectName, endTimeMillis: endMs } = parameters;
  const { matching, total, position } = await timeseries.count({ urnPrefix, aspectName, endMs });
  const method = {
    forceDeleteByQuery: parameters.forceDeleteByQuery ?? undefined,
    forceReindex: parameters.forceReindex ?? undefined,
  };
  return {
    checkpoint: {
      position: Object.fromEntries(position),
      matching,
      total,
      isPublished: false,
      batches: 0,
      batch: FIRST_BATCH,
      after: null,
      stale: [],
    },
    progress: { done: 0, total: matching },
    log: [describePlan({ matching, total }, method).trimEnd()],
  };
}

async function step(
  deps: TruncationDeps,
  { parameters, workedMs, actor }: TaskContext<TruncationParameters>,
  {
    checkpoint,
    progress,
    transaction,
  }: TaskStanding<Checkpoint> & { readonly transaction: StoreTransaction },
): Promise<TaskStep<Checkpoint>> {
  const { urnPrefix, aspect: aspectName, endTimeMillis: endMs, batchSize, timeoutSeconds } = parameters;
  const position = parseSequences(checkpoint.position);
  const outcome = toOutcome(deps, { deleted: progress.done, batches: checkpoint.batches, position });
  if (timeoutSeconds > 0 && workedMs > timeoutSeconds * 1_000) {
    return { kind: 'failed', reason: `Not complete after ${String(timeoutSeconds)} seconds`, outcome };
  }
  if (!checkpoint.isPublished && !(await deps.timeseries.isPublished(position))) {
    return { kind: 'wait', pauseMs: PUBLISH_POLL_MS };
  }
  const beganAt = performance.now();
  const page = await deps.timeseries.truncatePage(
    transaction,
    { urnPrefix, aspectName, endMs, position, actor },
    {
      after: checkpoint.after ?? undefined,
      limit: Math.min(batchSize || checkpoint.batch, checkpoint.batch),
    },
  );
  const batch = adaptBatch(checkpoint.batch, performance.now() - beganAt);
  if (page.last === undefined) {
    return { kind: 'completed', outcome, log: [`deleted ${String(progress.done)} values`] };
  }
  const { urn, timestampMs, valueKey } = page.last;
  const isSearched =
    page.stale.length > 0 && listSearchedTimeseries(deps.registry.aspects).includes(aspectName);
  return {
    kind: 'next',
    checkpoint: {
      ...checkpoint,
      isPublished: true,
      batches: checkpoint.batches + 1,
      batch,
      after: { urn, timestampMs, valueKey },
      stale: isSearched ? page.stale.map((lost) => lost.urn) : [],
    },
    progress: { ...progress, done: progress.done + page.deleted },
  };
}

function toOutcome(
  { store }: TruncationDeps,
  {
    position: seqs,
    ...counts
  }: { readonly deleted: number; readonly batches: number; readonly position: PartitionSequences },
): JsonObject {
  const { storeId, epoch } = store.identity;
  return { ...counts, position: formatPosition({ storeId, epoch, seqs }) };
}
