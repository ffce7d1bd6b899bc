import type { AspectStore, IndexVersions, IndexVersionsState } from '@stratalog/ports';
import {
  defineTaskKind,
  type StopRequest,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import { INDEX_KINDS, selectIndex, type IndexDeps } from './describe-index';

export interface RebuildTaskDeps extends IndexDeps {
  readonly store: Pick<AspectStore, 'countEntities'>;
}

const PARAMETERS = z.object({ indexes: z.array(z.enum(INDEX_KINDS)) });
export type RebuildParameters = z.infer<typeof PARAMETERS>;

const CHECKPOINT = z.object({
  /** Entities at the start; each index is to hold so many. */
  entities: z.number(),
  /** Name of the version to replace, by index; null where none was live. */
  former: z.partialRecord(z.enum(INDEX_KINDS), z.string().nullable()),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** Interval between two reads of the build's progress. */
const POLL_MS = 500;

/**
 * Makes the kind of task that has indices built again alongside the live ones.
 *
 * The process that follows an index builds it; the task requests that, reads the progress, and passes pauses and cancellations
 * on. A process that was lost during a build continues it from its own checkpoint.
 */
export function rebuildTask(deps: RebuildTaskDeps): TaskKind<RebuildParameters> {
  return defineTaskKind({
    name: 'rebuild-indices',
    parameters: PARAMETERS,
    checkpoint: CHECKPOINT,
    subjects: ({ indexes }) => indexes.map((index) => `index ${index}`),
    start: (context) => start(deps, context),
    step: { alone: (context, at) => step(deps, context, at) },
    obey: (request, context, at) => obey(deps, request, { context, at }),
  });
}

async function start(
  deps: RebuildTaskDeps,
  { parameters: { indexes } }: TaskContext<RebuildParameters>,
): Promise<TaskStanding<Checkpoint>> {
  const counts = await deps.store.countEntities();
  const entities = counts.reduce((sum, { count }) => sum + count, 0);
  const states = await Promise.all(
    indexes.map(async (kind) => [kind, (await selectIndex(deps, kind).state()).live?.name ?? null] as const),
  );
  return {
    checkpoint: { entities, former: Object.fromEntries(states) },
    progress: { done: 0, total: entities * indexes.length },
    log: [`${String(entities)} entities to index in ${indexes.join(' and ')}`],
  };
}

async function step(
  deps: RebuildTaskDeps,
  { parameters: { indexes } }: TaskContext<RebuildParameters>,
  { checkpoint, progress }: TaskStanding<Checkpoint>,
): Promise<TaskStep<Checkpoint>> {
  const { entities, former } = checkpoint;
  const standings = await Promise.all(
    indexes.map((kind) => continueRebuild(selectIndex(deps, kind), former[kind] ?? null)),
  );
  const done = standings.reduce((sum, { live, built }) => sum + (live === undefined ? built : entities), 0);
  const next = { checkpoint, progress: { ...progress, done: Math.min(done, entities * indexes.length) } };
  const names = standings.flatMap(({ live }) => (live === undefined ? [] : [live]));
  if (names.length < indexes.length) {
    return { kind: 'next', ...next, pauseMs: POLL_MS, isWorkedOn: true };
  }
  const outcome = Object.fromEntries(indexes.map((kind, at) => [kind, { live: names[at] ?? '' }]));
  return { kind: 'completed', ...next, outcome };
}

/** Requests the rebuild unless it is done or under way. `live`: the name of the version that is complete. */
async function continueRebuild(
  versions: IndexVersions<unknown>,
  former: string | null,
): Promise<{ readonly live?: string; readonly built: number }> {
  const state = await versions.state();
  if (state.live !== undefined && isReplaced(state.live, former)) return { live: state.live.name, built: 0 };
  if (state.live?.isOutdated !== true || state.live.isHeld) await versions.requestRebuild();
  return { built: state.building?.progress?.done ?? 0 };
}

function isReplaced(live: NonNullable<IndexVersionsState['live']>, former: string | null): boolean {
  return live.name !== former && !live.isOutdated;
}

async function obey(
  deps: RebuildTaskDeps,
  request: StopRequest,
  {
    context: { parameters },
    at: { checkpoint },
  }: { readonly context: TaskContext<RebuildParameters>; readonly at: TaskStanding<Checkpoint> },
): Promise<void> {
  for (const kind of parameters.indexes) {
    const versions = selectIndex(deps, kind);
    const { live } = await versions.state();
    if (live === undefined || isReplaced(live, checkpoint.former[kind] ?? null)) continue;
    await (request === 'pause' ? versions.holdRebuild() : versions.cancelRebuild());
  }
}
