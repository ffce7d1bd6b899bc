import { aspectKey } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import type { AspectRef } from '@stratalog/ports';
import { defineTaskKind, type TaskKind, type TaskSchedule, type TaskStep } from '@stratalog/tasks';
import * as z from 'zod';
import {
  applyRetention,
  rejectWithoutClock,
  type RetentionDeps,
  type RetentionPage,
} from './apply-retention';

/** Aspects in one step. */
const PAGE = 500;
/** Pause between two steps, in which writers have the store for themselves. */
const PAUSE_MS = 20;
/** A step ends after this time, so that the task shows its progress and obeys its operators. */
const STEP_MS = 1_000;

const KIND = 'apply-retention';
const CHECKPOINT = z.object({
  /** The last aspect that was checked to its end. */
  after: z.object({ urn: z.string(), aspectName: z.string() }).nullable(),
  /** Keys of aspects behind it that count as cut already. */
  open: z.array(z.string()).default([]),
  cut: z.number(),
  versions: z.number(),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** The totals of one pass. */
export interface RetentionPass {
  readonly aspects: number;
  readonly cut: number;
  readonly versions: number;
}

export interface RetentionTaskDeps extends RetentionDeps {
  /** Called when a pass is complete. */
  readonly onPass: (pass: RetentionPass) => void;
  /** Time of a step; a second by default. */
  readonly stepMs?: number;
}

/**
 * Makes the kind of task that applies the retention policies to all aspects: one pass over the store, page by page. It purges
 * values that grew too old without a write, and values that a changed policy lets expire.
 *
 * A pass that purges nothing leaves no record.
 *
 * **Order and repeats**: a crash repeats one step, which finds less to purge. What the lost step purged is not in the
 * outcome, so a pass that was interrupted leaves a record in any case.
 */
export function retentionTask(deps: RetentionTaskDeps): TaskKind<Record<string, never>> {
  return defineTaskKind({
    name: KIND,
    isOwn: true,
    parameters: z.object({}).strict(),
    checkpoint: CHECKPOINT,
    start: () =>
      Promise.resolve({ checkpoint: { after: null, open: [], cut: 0, versions: 0 }, progress: { done: 0 } }),
    step: {
      alone: ({ signal }, { checkpoint, progress }) =>
        step(deps, { checkpoint, done: progress.done, signal }),
    },
  });
}

/**
 * Requests a pass some time after the last one, and in a new store after its first start: nothing in it is old.
 *
 * **Errors**: `UnavailableError` while the clock is implausible.
 */
export function scheduleRetention(
  { store, clock }: Pick<RetentionTaskDeps, 'store' | 'clock'>,
  { actor, everyMs }: { readonly actor: string; readonly everyMs: number },
): TaskSchedule {
  return {
    task: { kind: KIND, parameters: {}, actor },
    everyMs,
    readLast: async () => {
      rejectWithoutClock(clock);
      const last = await store.readLastPass();
      if (last !== undefined) return last;
      const nowMs = clock.now();
      await store.savePass(nowMs);
      return nowMs;
    },
  };
}

async function step(
  deps: RetentionTaskDeps,
  {
    checkpoint,
    done,
    signal,
  }: { readonly checkpoint: Checkpoint; readonly done: number; readonly signal: AbortSignal },
): Promise<TaskStep<Checkpoint>> {
  const endAt = performance.now() + (deps.stepMs ?? STEP_MS);
  const aspects = await deps.store.aspectsAfter(checkpoint.after ?? undefined, PAGE);
  const page = await applyRetention(deps, aspects, () => !signal.aborted && performance.now() < endAt);
  const next = advance(checkpoint, aspects, page);
  const progress = { done: done + page.checked };
  if (signal.aborted || page.checked < aspects.length || aspects.length === PAGE) {
    return { kind: 'next', checkpoint: next, progress, pauseMs: PAUSE_MS };
  }
  await deps.store.savePass(deps.clock.now());
  const pass = { aspects: progress.done, cut: next.cut, versions: next.versions };
  deps.onPass(pass);
  return { kind: 'completed', progress, ...finish(pass) };
}

/** Adds what a step did. An aspect whose purge takes several steps is cut once. */
function advance(
  { after, open, cut, versions }: Checkpoint,
  aspects: readonly AspectRef[],
  page: RetentionPage,
): Checkpoint {
  const unchecked = new Set(aspects.slice(page.checked).map(aspectKey));
  const counted = new Set([...open, ...page.cut]);
  const last = aspects[page.checked - 1];
  return {
    after: last === undefined ? after : { urn: last.urn, aspectName: last.aspectName },
    open: [...counted].filter((key) => unchecked.has(key)),
    cut: cut + counted.size - open.length,
    versions: versions + page.versions,
  };
}

function finish(pass: RetentionPass): { readonly outcome: JsonObject; readonly isWithoutTrace: boolean } {
  return { outcome: { ...pass }, isWithoutTrace: pass.versions === 0 };
}
