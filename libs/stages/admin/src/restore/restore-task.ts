import type { JsonOutputObject } from '@stratalog/json';
import type { Clock, TaskStore } from '@stratalog/ports';
import {
  defineTaskKind,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import { formatTask, type TaskDeps } from '../tasks/describe-task';
import {
  rejectUnknown,
  resolvePattern,
  restateBatch,
  type RestoreDeps,
  type RestoreRequest,
} from './restore-indices';

const PARAMETERS = z.object({
  urn: z.string().nullable(),
  aspect: z.string().nullable(),
  urnLike: z.string().nullable(),
  gePitEpochMs: z.number(),
  lePitEpochMs: z.number(),
});
export type RestoreParameters = z.infer<typeof PARAMETERS>;

const CHECKPOINT = z.object({
  /** The last aspect that is done. */
  after: z.object({ urn: z.string(), aspectName: z.string() }).nullable(),
  /** Aspects that the model does not know, or that were deleted meanwhile. */
  ignored: z.number(),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Aspects of one step; each is one change row. */
const PAGE = 200;

/**
 * Makes the kind of task that restates all latest aspects of a selection.
 *
 * **Order and repeats**: by urn and aspect name. A crash repeats one page; a repeated restatement changes nothing.
 */
export function restoreTask(deps: RestoreDeps): TaskKind<RestoreParameters> {
  return defineTaskKind({
    name: 'restore-indices',
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    start: () => Promise.resolve({ checkpoint: { after: null, ignored: 0 }, progress: { done: 0 } }),
    step: { alone: (context, at) => step(deps, context, at) },
  });
}

async function step(
  deps: RestoreDeps,
  { parameters, actor }: TaskContext<RestoreParameters>,
  { checkpoint, progress }: TaskStanding<Checkpoint>,
): Promise<TaskStep<Checkpoint>> {
  const { urn, aspect, urnLike, gePitEpochMs: fromMs, lePitEpochMs: toMs } = parameters;
  const aspects = await deps.latest.listAspects({
    urn: urn ?? undefined,
    aspectName: aspect ?? undefined,
    urnLike: urnLike ?? undefined,
    fromMs,
    toMs,
    after: checkpoint.after ?? undefined,
    start: 0,
    limit: PAGE,
  });
  const last = aspects.at(-1);
  if (last === undefined) {
    const { ignored } = checkpoint;
    return { kind: 'completed', outcome: { restated: progress.done - ignored, ignored } };
  }
  const { ignored } = await restateBatch(deps, aspects, actor);
  return {
    kind: 'next',
    checkpoint: {
      after: { urn: last.urn, aspectName: last.aspectName },
      ignored: checkpoint.ignored + ignored,
    },
    progress: { done: progress.done + aspects.length },
  };
}

export interface RestoreStartDeps extends TaskDeps, Pick<RestoreDeps, 'registry'> {
  readonly tasks: TaskStore;
  readonly clock: Clock;
  readonly restore: TaskKind<RestoreParameters>;
  readonly onTask: () => void;
}

/**
 * Starts a task that restates all latest aspects of a selection, and returns it.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn or pattern, and an unknown aspect.
 */
export async function startRestore(
  deps: RestoreStartDeps,
  request: Pick<RestoreRequest, 'urn' | 'aspect' | 'urnLike' | 'gePitEpochMs' | 'lePitEpochMs'>,
  actor: string,
): Promise<JsonOutputObject> {
  rejectUnknown(deps.registry, request, 'aspect');
  const parameters = {
    urn: request.urn ?? null,
    aspect: request.aspect ?? null,
    urnLike: resolvePattern(deps.registry, request.urnLike) ?? null,
    gePitEpochMs: request.gePitEpochMs,
    lePitEpochMs: request.lePitEpochMs ?? deps.clock.now(),
  };
  const { task } = await deps.tasks.create(deps.restore.newTask(parameters, actor));
  deps.onTask();
  return formatTask(deps, task);
}
