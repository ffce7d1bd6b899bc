import { restateEntities } from '@stratalog/indexing';
import type { JsonObject } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import type { Clock, RunAspect, RunAspectsQuery, StoreTransaction } from '@stratalog/ports';
import { requireEntityType } from '@stratalog/registry';
import {
  defineTaskKind,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import { createCaller, type Caller } from '../proposals/create-caller';
import { recordRollback } from './record-rollback';
import { explainConfirmed, formatRollback, planRollback, type RunRollbackDeps } from './plan-rollback';
import { rollBackAspect, type RollbackOutcome } from './roll-back-aspect';
import { SOFT_DELETED, listKeyAspects } from './run-queries';
import { deleteCreatedEntity, hideCreatedEntity } from './take-back-entity';
import { NO_VALUES, TAKEN_VALUES, planTakenValues, takeBackValues } from './take-back-values';

const PARAMETERS = z.object({
  runId: z.string(),
  /** True: deletes the entities that the run created; false: soft-deletes them. */
  isHard: z.boolean(),
});
export type RollbackParameters = z.infer<typeof PARAMETERS>;

const ASPECT = z.object({ urn: z.string(), aspectName: z.string() });
const CHECKPOINT = z.object({
  plan: z.object({
    aspects: z.number(),
    keys: z.number(),
    entities: z.number(),
    lastMs: z.number(),
    first: z.array(ASPECT.extend({ version: z.number(), writtenMs: z.number() })),
    unsafe: z.object({ count: z.number(), aspects: z.number(), urns: z.array(z.string()) }),
  }),
  /** Timeseries values, which go first. Absent in the checkpoint of a program that left them alone. */
  values: TAKEN_VALUES.default(NO_VALUES),
  /** Which half is under way: the keys of entities that the run created, or its other aspects. */
  half: z.number(),
  after: ASPECT.extend({ writtenMs: z.number() }).nullable(),
  left: z.object({
    count: z.number(),
    keys: z.number(),
    named: z.array(ASPECT.extend({ reason: z.string() })),
  }),
});
type RollbackCheckpoint = z.infer<typeof CHECKPOINT>;

/** Number of remaining aspects that an answer names. */
const NAMED = 100;
/** Aspects in one step; a crash repeats at most so many. */
const PAGE = 1_000;
/** Proposals in flight; enough to share commits well. */
const AT_ONCE = 64;
const HALVES = 2;
const PUBLISH_POLL_MS = 250;

export interface RollbackTaskDeps extends RunRollbackDeps {
  readonly clock: Clock;
}

/**
 * Makes the kind of task that rolls back a run.
 *
 * Each proposal requires that no concurrent write happened, and an aspect that is rolled back does not belong to the run any more, so a
 * repeated step does no harm. A page of timeseries values is deleted in one transaction with its checkpoint.
 */
export function rollbackTask(deps: RollbackTaskDeps): TaskKind<RollbackParameters> {
  return defineTaskKind({
    name: 'rollback-run',
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    // One with and one without hard deletion would undo each other's work.
    subjects: ({ runId }) => [`run ${runId}`],
    start: async ({ parameters }) => {
      const plan = await planRollback(deps, parameters);
      const values = await planTakenValues(deps.timeseries, parameters.runId);
      return {
        checkpoint: { plan, values, half: 0, after: null, left: { count: 0, keys: 0, named: [] } },
        progress: { done: 0, total: plan.aspects + values.count },
      };
    },
    step: {
      isWithin: ({ values }) => !values.isDone && values.stale.length === 0,
      within: (context, at, transaction) => deleteValues(deps, context, { ...at, transaction }),
      alone: (context, at) =>
        at.checkpoint.values.stale.length > 0 ? restateStale(deps, context, at) : step(deps, context, at),
    },
    obey: async (request, context, at) => {
      if (request === 'cancel') await restateStale(deps, context, at);
    },
  });
}

async function restateStale(
  deps: RollbackTaskDeps,
  { actor }: TaskContext<RollbackParameters>,
  at: TaskStanding<RollbackCheckpoint>,
): Promise<TaskStep<RollbackCheckpoint>> {
  const { values } = at.checkpoint;
  await restateEntities(deps, values.stale, actor);
  return { kind: 'next', ...at, checkpoint: { ...at.checkpoint, values: { ...values, stale: [] } } };
}

async function deleteValues(
  deps: RollbackTaskDeps,
  { parameters: { runId }, actor }: TaskContext<RollbackParameters>,
  {
    checkpoint,
    progress,
    transaction,
  }: TaskStanding<RollbackCheckpoint> & { readonly transaction: StoreTransaction },
): Promise<TaskStep<RollbackCheckpoint>> {
  const { deleted } = checkpoint.values;
  const values = await takeBackValues(deps, transaction, { runId, values: checkpoint.values, actor });
  if (values === undefined) return { kind: 'wait', pauseMs: PUBLISH_POLL_MS };
  return {
    kind: 'next',
    checkpoint: { ...checkpoint, values },
    progress: { ...progress, done: progress.done + values.deleted - deleted },
    ...(values.isDone ? { log: [`${String(values.deleted)} timeseries values deleted`] } : {}),
  };
}

async function step(
  deps: RollbackTaskDeps,
  { parameters, actor }: TaskContext<RollbackParameters>,
  { checkpoint, progress }: TaskStanding<RollbackCheckpoint>,
): Promise<TaskStep<RollbackCheckpoint>> {
  const { runId } = parameters;
  const caller = createCaller(deps, actor);
  const { plan, half, values } = checkpoint;
  if (plan.aspects === 0 || half === HALVES) {
    if (plan.aspects + values.count > 0) await recordRollback(deps, runId, caller);
    report(deps, runId, { checkpoint, progress }, true);
    const { left } = checkpoint;
    const outcome = formatRollback(deps.registry, parameters, { plan, left, timeseriesRows: values.deleted });
    return {
      kind: 'completed',
      outcome,
      log: [`${String(plan.aspects - checkpoint.left.count)} aspects rolled back`],
    };
  }
  const { query, isKey } = selectHalf(deps, parameters, checkpoint);
  const page = await deps.runs.listAspects(query);
  const left = await rollBackPage(deps, page, { isKey, parameters, caller, left: checkpoint.left });
  const last = page.length < PAGE ? undefined : page.at(-1);
  const next = {
    checkpoint: { plan, values, left, half: last === undefined ? half + 1 : half, after: toAfter(last) },
    progress: { ...progress, done: progress.done + page.length },
  };
  report(deps, runId, next, false);
  return { kind: 'next', ...next };
}

function toAfter(last: RunAspect | undefined): RollbackCheckpoint['after'] {
  if (last === undefined) return null;
  const { urn, aspectName, writtenMs } = last;
  return { urn, aspectName, writtenMs };
}

/**
 * Deletes entities first, because that removes most aspects. Soft-deletes entities last, because a `status` that the run
 * wrote is rolled back like any other aspect.
 */
function selectHalf(
  { registry }: RollbackTaskDeps,
  { runId, isHard }: RollbackParameters,
  { plan, half, after }: RollbackCheckpoint,
): { readonly query: RunAspectsQuery; readonly isKey: boolean } {
  const isKey = (half === 0) === isHard;
  const keyAspects = listKeyAspects(registry);
  const query = {
    runId,
    limit: PAGE,
    untilMs: plan.lastMs,
    ...(isHard ? {} : { exceptSoftDeleted: SOFT_DELETED }),
    names: isKey ? { only: keyAspects } : { but: keyAspects },
    after: after ?? undefined,
  };
  return { query, isKey };
}

interface PageWork {
  readonly isKey: boolean;
  readonly parameters: RollbackParameters;
  readonly caller: Caller;
  readonly left: RollbackCheckpoint['left'];
}

/** Returns the aspects that stay unchanged, with those before. */
async function rollBackPage(
  deps: RollbackTaskDeps,
  page: readonly RunAspect[],
  { isKey, parameters, caller, left }: PageWork,
): Promise<RollbackCheckpoint['left']> {
  const outcomes = await inParallel(page, AT_ONCE, (aspect) =>
    rollBackOne(deps, aspect, { isKey, parameters, caller }),
  );
  const staying = page.flatMap(({ urn, aspectName }, at) => {
    const outcome = outcomes[at];
    return outcome?.kind === 'left' ? [{ urn, aspectName, reason: outcome.reason }] : [];
  });
  return {
    count: left.count + staying.length,
    keys: left.keys + (isKey ? staying.length : 0),
    named: [...left.named, ...staying].slice(0, NAMED),
  };
}

async function rollBackOne(
  deps: RollbackTaskDeps,
  aspect: RunAspect,
  { isKey, parameters: { runId, isHard }, caller }: Omit<PageWork, 'left'>,
): Promise<RollbackOutcome> {
  const named = requireEntityType(deps.registry, aspect.urn);
  if ('fault' in named) return { kind: 'left', reason: named.fault };
  if (aspect.confirmedBy !== undefined) return { kind: 'left', reason: explainConfirmed(aspect.confirmedBy) };
  const { entityType } = named;
  const ref = { ...aspect, entityType: entityType.name, runId };
  if (!isKey) return rollBackAspect(deps, ref, caller);
  if (isHard) return deleteCreatedEntity(deps, ref, caller);
  return hideCreatedEntity(deps, ref, { entityType, caller });
}

function report(
  deps: RollbackTaskDeps,
  runId: string,
  { checkpoint, progress }: TaskStanding<RollbackCheckpoint>,
  isDone: boolean,
): void {
  const { plan, left, values } = checkpoint;
  const looked = progress.done - values.deleted;
  deps.onRollback({ runId, aspects: plan.aspects, looked, left: left.count, isDone });
}

/** Restores the order of the members, which the store does not keep. */
export function parseRollbackOutcome(outcome: JsonObject): JsonObject {
  return OUTCOME.parse(outcome) as JsonObject;
}

const OUTCOME = z.object({
  aspectRowSummaries: z.array(
    z.object({
      runId: z.string(),
      aspectName: z.string(),
      urn: z.string(),
      timestamp: z.number(),
      keyAspect: z.boolean(),
      version: z.number(),
    }),
  ),
  entitiesAffected: z.number(),
  aspectsAffected: z.number(),
  entitiesDeleted: z.number(),
  aspectsReverted: z.number(),
  unsafeEntitiesCount: z.number(),
  unsafeEntities: z.array(z.object({ urn: z.string() })),
  timeseriesRows: z.number().optional(),
  aspectsLeft: z.number().optional(),
  left: z.array(ASPECT.extend({ reason: z.string() })).optional(),
});
