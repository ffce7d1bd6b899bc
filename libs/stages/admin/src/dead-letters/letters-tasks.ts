import { DEAD_LETTER_CAUSES, formatDeadLetterId, proposalsIn, type DeadLetterCause } from '@stratalog/domain';
import { inParallel, measure } from '@stratalog/concurrency';
import type { DeadLetterSelection, OpenDeadLetter } from '@stratalog/ports';
import {
  defineTaskKind,
  type TaskContext,
  type TaskKind,
  type TaskStanding,
  type TaskStep,
} from '@stratalog/tasks';
import * as z from 'zod';
import { replayLetter, type ReplayDeps, type ReplayOutcome } from './replay-letter';

/** A selection as calls have it. */
export interface Selected {
  readonly topic?: string | undefined;
  readonly waiting?: boolean | undefined;
  readonly cause?: DeadLetterCause | undefined;
  readonly reason?: string | undefined;
  readonly entityType?: string | undefined;
  readonly urn?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export function toSelection({ waiting, from, to, ...others }: Selected): DeadLetterSelection {
  return { ...others, isWaiting: waiting, fromMs: from, toMs: to };
}

/** A selection as tasks store it. */
const SELECTION = z.object({
  topic: z.string().nullable(),
  waiting: z.boolean().nullable(),
  cause: z.enum(DEAD_LETTER_CAUSES).nullable(),
  reason: z.string().nullable(),
  entityType: z.string().nullable(),
  urn: z.string().nullable(),
  from: z.number().nullable(),
  /** Letters of the time after the request are not meant. */
  to: z.number(),
});
export type StoredSelection = z.infer<typeof SELECTION>;

function readStored(stored: StoredSelection): DeadLetterSelection {
  return toSelection({
    topic: stored.topic ?? undefined,
    waiting: stored.waiting ?? undefined,
    cause: stored.cause ?? undefined,
    reason: stored.reason ?? undefined,
    entityType: stored.entityType ?? undefined,
    urn: stored.urn ?? undefined,
    from: stored.from ?? undefined,
    to: stored.to,
  });
}

const REPLAY = SELECTION.extend({ force: z.boolean() });
export type ReplayParameters = z.infer<typeof REPLAY>;

const REPLAY_CHECKPOINT = z.object({
  after: z.object({ log: z.string(), partition: z.number(), offset: z.number() }).nullable(),
  replayed: z.number(),
  rejected: z.number(),
  held: z.number(),
  settled: z.number(),
});
type ReplayCheckpoint = z.infer<typeof REPLAY_CHECKPOINT>;

/** Tasks on the same letters run one after the other. */
const SUBJECTS = ['dead letters'];
/** Letters of one step. */
const PAGE = 200;
/** Letters of different urns that are replayed at a time. */
const AT_ONCE = 16;
/** Most letters of a step that the log of a task names. */
const MAX_NAMED = 5;

/**
 * Makes the kind of task that replays the open letters of a selection.
 *
 * **Order and repeats**: letters of one urn as they were logged; one that stays open holds the later ones. A crash repeats a step:
 * what it has replayed is open no more, and a replay that is in the log still settles its letter once.
 */
export function replayTask(deps: ReplayDeps): TaskKind<ReplayParameters> {
  return defineTaskKind({
    name: 'replay-dead-letters',
    parameters: REPLAY,
    checkpoint: REPLAY_CHECKPOINT,
    subjects: () => SUBJECTS,
    start: () =>
      Promise.resolve({
        checkpoint: { after: null, replayed: 0, rejected: 0, held: 0, settled: 0 },
        progress: { done: 0 },
      }),
    step: { alone: (context, at) => replayPage(deps, context, at) },
  });
}

async function replayPage(
  deps: ReplayDeps,
  { parameters: { force, ...stored }, actor }: TaskContext<ReplayParameters>,
  { checkpoint, progress }: TaskStanding<ReplayCheckpoint>,
): Promise<TaskStep<ReplayCheckpoint>> {
  const letters = await deps.deadLetters.readOpen(readStored(stored), checkpoint.after ?? undefined, PAGE);
  const last = letters.at(-1);
  if (last === undefined) {
    const { replayed, rejected, held, settled } = checkpoint;
    return { kind: 'completed', outcome: { replayed, rejected, held, settled } };
  }
  const counts = { ...checkpoint, after: last.position };
  const log: string[] = [];
  for (const wave of intoWaves(letters)) {
    const outcomes = await inParallel(wave, AT_ONCE, (letter) =>
      replayLetter(deps, letter, { actor, force }),
    );
    outcomes.forEach((outcome, at) => {
      counts[outcome.kind] += 1;
      const letter = wave[at];
      if (letter !== undefined && log.length < MAX_NAMED) log.push(...describe(letter, outcome));
    });
  }
  return { kind: 'next', checkpoint: counts, progress: { done: progress.done + letters.length }, log };
}

/** Divides letters so that none shares an urn with another of its wave. */
function intoWaves(letters: readonly OpenDeadLetter[]): readonly (readonly OpenDeadLetter[])[] {
  const waves: OpenDeadLetter[][] = [];
  let taken = new Set<string>();
  for (const letter of letters) {
    const urns = letter.entry === undefined ? [] : proposalsIn(letter.entry).map(({ urn }) => urn);
    const wave = waves.at(-1);
    if (wave === undefined || urns.some((urn) => taken.has(urn))) {
      waves.push([letter]);
      taken = new Set(urns);
    } else {
      wave.push(letter);
      for (const urn of urns) taken.add(urn);
    }
  }
  return waves;
}

function describe({ position }: OpenDeadLetter, outcome: ReplayOutcome): readonly string[] {
  if (outcome.kind === 'replayed') return [];
  return [`${formatDeadLetterId(position)} ${outcome.kind}: ${outcome.reason.slice(0, 300)}`];
}

const DISCARD_CHECKPOINT = z.object({ discarded: z.number() });

/** Letters of one step; each is one updated row. */
const DISCARDED_AT_ONCE = 1_000;

/** Makes the kind of task that discards the open letters of a selection. A repeated step finds fewer. */
export function discardTask({ deadLetters }: Pick<ReplayDeps, 'deadLetters'>): TaskKind<StoredSelection> {
  return defineTaskKind({
    name: 'discard-dead-letters',
    parameters: SELECTION,
    checkpoint: DISCARD_CHECKPOINT,
    subjects: () => SUBJECTS,
    start: () => Promise.resolve({ checkpoint: { discarded: 0 }, progress: { done: 0 } }),
    step: {
      alone: async ({ parameters, actor }, { checkpoint }) => {
        const selection = readStored(parameters);
        const count = await deadLetters.discard({ selection, limit: DISCARDED_AT_ONCE }, actor);
        const discarded = checkpoint.discarded + count;
        if (count === 0) return { kind: 'completed', outcome: { discarded } };
        for (let each = 0; each < count; each++) measure('settledLetter', { how: 'discarded' });
        return { kind: 'next', checkpoint: { discarded }, progress: { done: discarded } };
      },
    },
  });
}
