import { formatTaskName } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectStore, Clock, NewTask, TaskStore } from '@stratalog/ports';
import type { TaskKind } from '@stratalog/tasks';
import { checkOpen } from './check-entry';
import { toSelection, type ReplayParameters, type Selected, type StoredSelection } from './letters-tasks';
import type { DeadLettersDeps } from './list-dead-letters';

export interface SelectedDeps extends DeadLettersDeps {
  readonly store: Pick<AspectStore, 'identity'>;
  readonly tasks: TaskStore;
  readonly clock: Clock;
  readonly replaying: TaskKind<ReplayParameters>;
  readonly discarding: TaskKind<StoredSelection>;
  readonly onTask: () => void;
}

interface Asked extends Selected {
  readonly dryRun: boolean;
}

/** Replays all open letters of a selection by a task, or says how many there are and how many today's model accepts. */
export async function replayDeadLetters(
  deps: SelectedDeps,
  { dryRun, force, ...asked }: Asked & { readonly force: boolean },
  actor: string,
): Promise<JsonOutputObject> {
  const selected = untilNow(deps, asked);
  const counts = { ...(await countOpen(deps, selected)), ...(await checkOpen(deps, toSelection(selected))) };
  if (dryRun) return counts;
  const newTask = deps.replaying.newTask({ ...toStored(selected), force }, actor);
  return { ...counts, task: await start(deps, newTask) };
}

/** Discards all open letters of a selection by a task, or says how many there are. */
export async function discardDeadLetters(
  deps: SelectedDeps,
  { dryRun, ...asked }: Asked,
  actor: string,
): Promise<JsonOutputObject> {
  const selected = untilNow(deps, asked);
  const counts = await countOpen(deps, selected);
  if (dryRun) return counts;
  return { ...counts, task: await start(deps, deps.discarding.newTask(toStored(selected), actor)) };
}

type BoundedSelection = Selected & { readonly to: number };

function untilNow({ clock }: SelectedDeps, selected: Selected): BoundedSelection {
  return { ...selected, to: selected.to ?? clock.now() + 1 };
}

function toStored({ to, ...selected }: BoundedSelection): StoredSelection {
  return {
    topic: selected.topic ?? null,
    waiting: selected.waiting ?? null,
    cause: selected.cause ?? null,
    reason: selected.reason ?? null,
    entityType: selected.entityType ?? null,
    urn: selected.urn ?? null,
    from: selected.from ?? null,
    to,
  };
}

async function countOpen(
  { deadLetters }: SelectedDeps,
  selected: Selected,
): Promise<{ readonly matching: number }> {
  const { total } = await deadLetters.list({ ...toSelection(selected), state: 'open', start: 0, limit: 0 });
  return { matching: total };
}

async function start({ store, tasks, onTask }: SelectedDeps, newTask: NewTask): Promise<string> {
  const { task } = await tasks.create(newTask);
  onTask();
  return formatTaskName(store.identity, task.id);
}
