import type { TaskProgress } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import type { NewTask, StoreTransaction } from '@stratalog/ports';
import type * as z from 'zod';

/** The input of a step of a task. */
export interface TaskContext<Parameters> {
  readonly id: number;
  readonly parameters: Parameters;
  /** Urn of the user who requested the task. */
  readonly actor: string;
  /** Time that processes have worked on the task before this step. */
  readonly workedMs: number;
  /** Aborts when the process stops or loses the lease. A long step then ends early, with the checkpoint that it reached. */
  readonly signal: AbortSignal;
}

/** Where a task stands after a step. */
export interface TaskStanding<Checkpoint> {
  readonly checkpoint: Checkpoint;
  readonly progress: TaskProgress;
  /** New entries of the task's log. */
  readonly log?: readonly string[];
}

export type TaskStep<Checkpoint> =
  | ({
      readonly kind: 'next';
      /** Pause before the next step. */ readonly pauseMs?: number;
      /** True when another process works for the task during the pause, so that it counts as work. */
      readonly isWorkedOn?: boolean;
    } & TaskStanding<Checkpoint>)
  /** The step could do nothing yet. It is repeated after the pause, in which the task holds nothing that another could use. */
  | { readonly kind: 'wait'; readonly pauseMs: number }
  | ({
      readonly kind: 'completed';
      readonly outcome: JsonObject;
      /** True for a recurring task that found nothing to do: it leaves no record, unless it was interrupted. */
      readonly isWithoutTrace?: boolean;
    } & Partial<TaskStanding<Checkpoint>>)
  | ({ readonly kind: 'failed'; readonly reason: string; readonly outcome?: JsonObject } & Partial<
      TaskStanding<Checkpoint>
    >);

type Run<Parameters, Checkpoint, Result> = (
  context: TaskContext<Parameters>,
  at: TaskStanding<Checkpoint>,
  transaction: StoreTransaction,
) => Promise<Result>;

interface AloneStep<Parameters, Checkpoint> {
  readonly alone: (
    context: TaskContext<Parameters>,
    at: TaskStanding<Checkpoint>,
  ) => Promise<TaskStep<Checkpoint>>;
}

interface WithinStep<Parameters, Checkpoint> {
  readonly within: Run<Parameters, Checkpoint, TaskStep<Checkpoint>>;
}

/** How a kind works: one way, or one of two ways that the checkpoint decides. */
type StepDefinition<Parameters, Checkpoint> =
  | AloneStep<Parameters, Checkpoint>
  | WithinStep<Parameters, Checkpoint>
  | (AloneStep<Parameters, Checkpoint> &
      WithinStep<Parameters, Checkpoint> & { readonly isWithin: (checkpoint: Checkpoint) => boolean });

/**
 * Defines one kind of task: its parameters, and its work in steps.
 *
 * A crash repeats the step after the last checkpoint, so a step that runs `alone` must be idempotent. A step that runs
 * `within` a transaction writes its effects and the checkpoint together; then nothing is repeated.
 */
export interface TaskKindDefinition<Parameters extends JsonObject, Checkpoint extends JsonObject> {
  /** Kebab-case: `truncate-timeseries`. */
  readonly name: string;
  readonly parameters: z.ZodType<Parameters>;
  readonly checkpoint: z.ZodType<Checkpoint>;
  /** Names what a task works on alone; tasks that share a subject run one after the other. By default nothing. */
  readonly subjects?: (parameters: Parameters) => readonly string[];
  /** True when the catalog requests these tasks by itself. Tasks of operators do not queue behind them. */
  readonly isOwn?: true;
  /** Computes the first checkpoint; changes nothing that a repetition would change again. */
  readonly start: (context: TaskContext<Parameters>) => Promise<TaskStanding<Checkpoint>>;
  readonly step: StepDefinition<Parameters, Checkpoint>;
  /**
   * Passes a pause or a cancellation on to other processes that work for the task. Must be idempotent; the next step of a
   * resumed task takes a pause back. Absent for a kind that works in its steps only.
   */
  readonly obey?: Obey<Parameters, Checkpoint>;
}

/** The requests that stop a task between two steps. */
export type StopRequest = 'pause' | 'cancel';

type Obey<Parameters, Checkpoint> = (
  request: StopRequest,
  context: TaskContext<Parameters>,
  at: TaskStanding<Checkpoint>,
) => Promise<void>;

/** A kind of task with any parameters, as the runner calls it. */
export interface TaskKind<Parameters extends JsonObject = never> {
  readonly name: string;
  readonly isOwn: boolean;
  /** Makes the request for a task of this kind. */
  readonly newTask: (parameters: Parameters, actor: string) => NewTask;
  readonly start: (context: TaskContext<JsonObject>) => Promise<TaskStanding<JsonObject>>;
  /** True when the {@link step} after a checkpoint needs the transaction that writes the next one. */
  readonly isWithin: (checkpoint: JsonObject) => boolean;
  readonly step: (
    context: TaskContext<JsonObject>,
    at: TaskStanding<JsonObject>,
    transaction?: StoreTransaction,
  ) => Promise<TaskStep<JsonObject>>;
  readonly obey: Obey<JsonObject, JsonObject>;
}

/**
 * Makes a kind of task. Stored parameters and checkpoints are parsed again, because another version of the program may
 * have written them.
 */
export function defineTaskKind<Parameters extends JsonObject, Checkpoint extends JsonObject>({
  name,
  parameters,
  checkpoint,
  subjects,
  isOwn,
  start,
  step,
  obey,
}: TaskKindDefinition<Parameters, Checkpoint>): TaskKind<Parameters> {
  const parsed = (context: TaskContext<JsonObject>): TaskContext<Parameters> => ({
    ...context,
    parameters: parameters.parse(context.parameters),
  });
  return {
    name,
    isOwn: isOwn === true,
    isWithin: (stored) => isWithin(step, checkpoint.parse(stored)),
    newTask: (given, actor) => ({
      kind: name,
      parameters: given,
      actor,
      ...(subjects === undefined ? {} : { subjects: subjects(given) }),
    }),
    start: (context) => start(parsed(context)),
    step: (context, at, transaction) => {
      const standing = { ...at, checkpoint: checkpoint.parse(at.checkpoint) };
      if ('within' in step && isWithin(step, standing.checkpoint)) {
        if (transaction === undefined) throw new TypeError(`A step of ${name} needs a transaction`);
        return step.within(parsed(context), standing, transaction);
      }
      if ('alone' in step) return step.alone(parsed(context), standing);
      throw new TypeError(`A kind of task without steps: ${name}`);
    },
    obey: async (request, context, at) => {
      await obey?.(request, parsed(context), { ...at, checkpoint: checkpoint.parse(at.checkpoint) });
    },
  };
}

function isWithin<Parameters, Checkpoint>(
  step: StepDefinition<Parameters, Checkpoint>,
  checkpoint: Checkpoint,
): boolean {
  return 'isWithin' in step ? step.isWithin(checkpoint) : 'within' in step;
}
