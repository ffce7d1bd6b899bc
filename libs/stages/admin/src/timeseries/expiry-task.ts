import type { TaskStore } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import {
  maxAgeOf,
  rejectWithoutClock,
  type RetentionPolicies,
  type RetentionRules,
} from '@stratalog/retention';
import {
  defineTaskKind,
  type TaskKind,
  type TaskSchedule,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import type { TruncationDeps, TruncationParameters } from './truncation-task';

export interface ExpiryDeps extends Pick<TruncationDeps, 'clock' | 'timeseries'> {
  readonly registry: EntityRegistry;
  readonly tasks: Pick<TaskStore, 'create'>;
  readonly policies: Pick<RetentionPolicies, 'current'>;
  readonly truncation: Pick<TaskKind<TruncationParameters>, 'newTask'>;
}

const KIND = 'expire-timeseries';
const DAY_MS = 86_400_000;
const CHECKPOINT = z.object({
  /** Timeseries aspects that were looked at. */
  at: z.number(),
});
type Checkpoint = z.infer<typeof CHECKPOINT>;

/** The values of one aspect of a type that are too old for its policy. */
interface Expired {
  readonly entityType: string;
  readonly aspect: string;
  readonly endTimeMillis: number;
}

/**
 * Makes the kind of task that truncates the values of timeseries aspects that their stored policies let expire. It makes a truncation for
 * each that has some, by whole days, so that a long one is not made twice.
 *
 * **Order and repeats**: a repeated step finds its truncation.
 */
export function expiryTask(deps: ExpiryDeps): TaskKind<Record<string, never>> {
  return defineTaskKind({
    name: KIND,
    isOwn: true,
    parameters: z.object({}).strict(),
    checkpoint: CHECKPOINT,
    start: () => Promise.resolve({ checkpoint: { at: 0 }, progress: { done: 0 } }),
    step: { alone: ({ actor }, standing) => step(deps, { actor, ...standing }) },
  });
}

/**
 * Requests it again and again while a policy limits the age of timeseries values.
 *
 * **Errors**: `UnavailableError` while the clock is implausible, by which young values would look old.
 */
export function scheduleExpiry(
  deps: Pick<ExpiryDeps, 'clock' | 'policies' | 'registry'>,
  { actor, everyMs }: { readonly actor: string; readonly everyMs: number },
): TaskSchedule {
  return {
    task: { kind: KIND, parameters: {}, actor },
    everyMs,
    readLast: async () => {
      rejectWithoutClock(deps.clock);
      const isNeeded = listExpired(deps, await deps.policies.current()).length > 0;
      return isNeeded ? undefined : deps.clock.now();
    },
  };
}

async function step(
  deps: ExpiryDeps,
  { actor, checkpoint, progress }: TaskStanding<Checkpoint> & { readonly actor: string },
): Promise<TaskStep<Checkpoint>> {
  rejectWithoutClock(deps.clock);
  const { at } = checkpoint;
  const expired = listExpired(deps, await deps.policies.current())[at];
  if (expired === undefined) {
    return { kind: 'completed', outcome: { truncations: progress.done } };
  }
  const isMade = await truncate(deps, expired, actor);
  return { kind: 'next', checkpoint: { at: at + 1 }, progress: { done: progress.done + (isMade ? 1 : 0) } };
}

function listExpired(
  { registry, clock }: Pick<ExpiryDeps, 'clock' | 'registry'>,
  rules: RetentionRules,
): readonly Expired[] {
  const nowMs = clock.now();
  return [...registry.entityTypes].flatMap((type) =>
    [...type.aspects.values()].flatMap((aspect): readonly Expired[] => {
      if (aspect.kind !== 'timeseries') return [];
      const maxAgeMs = maxAgeOf(rules, type.name, aspect.name);
      if (maxAgeMs === undefined) return [];
      const endTimeMillis = Math.floor((nowMs - maxAgeMs) / DAY_MS) * DAY_MS - 1;
      return [{ entityType: type.name, aspect: aspect.name, endTimeMillis }];
    }),
  );
}

async function truncate(
  { registry, timeseries, tasks, truncation }: ExpiryDeps,
  { entityType, aspect, endTimeMillis }: Expired,
  actor: string,
): Promise<boolean> {
  const urnPrefix = `urn:${registry.urnNamespace}:${entityType}:`;
  const { matching } = await timeseries.count({ urnPrefix, aspectName: aspect, endMs: endTimeMillis });
  if (matching === 0) return false;
  const parameters: TruncationParameters = {
    entityType,
    aspect,
    urnPrefix,
    endTimeMillis,
    batchSize: 0,
    timeoutSeconds: 0,
    forceDeleteByQuery: null,
    forceReindex: null,
  };
  await tasks.create(truncation.newTask(parameters, actor));
  return true;
}
