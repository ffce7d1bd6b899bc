import {
  InvalidRequestError,
  NotFoundError,
  computeRate,
  findTaskId,
  formatTaskName,
  parseTaskName,
  type Task,
  type TaskState,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectStore, TaskStore } from '@stratalog/ports';

export interface TaskDeps {
  readonly store: Pick<AspectStore, 'identity'>;
  readonly tasks: TaskStore;
}

export interface TaskListRequest {
  readonly state?: TaskState | undefined;
  readonly kind?: string | undefined;
  readonly before?: number | undefined;
  readonly count: number;
}

/** Reads one task, by its name or its number alone. **Errors**: those of {@link requireTask}. */
export async function describeTask(deps: TaskDeps, name: string): Promise<JsonOutputObject> {
  return formatTask(deps, await requireTask(deps, name));
}

/** Lists tasks without their logs, the newest first. */
export async function listTasks(
  deps: TaskDeps,
  { state, kind, before, count }: TaskListRequest,
): Promise<JsonOutputObject> {
  const states = state === undefined ? undefined : [state];
  const tasks = await deps.tasks.list({ states, kind, before, limit: count });
  return { tasks: await formatTasks(deps, tasks) };
}

/**
 * Returns the task that a caller names.
 *
 * **Errors**: `InvalidRequestError` for a text that is no name of a task, `NotFoundError` for a task that does not exist,
 * or that was deleted after its time.
 */
export async function requireTask({ store, tasks }: TaskDeps, name: string): Promise<Task> {
  const id = parseTaskId(store, name);
  const task = id === undefined ? undefined : await tasks.read(id);
  if (task === undefined) throw new NotFoundError(`There is no task ${name}`);
  return task;
}

/** `undefined` for a task of another store. **Errors**: `InvalidRequestError` for a text that is no name of a task. */
export function parseTaskId({ identity }: TaskDeps['store'], name: string): number | undefined {
  const parsed = parseTaskName(completeTaskName({ identity }, name));
  if (parsed !== undefined) return findTaskId(identity, parsed);
  throw new InvalidRequestError(
    `Parameter 'task': ${name.slice(0, 100)} is not the number of a task, nor node:number`,
  );
}

/** Returns the name of a task that a caller names by its number alone. */
export function completeTaskName({ identity }: TaskDeps['store'], name: string): string {
  return name.includes(':') ? name : `${formatTaskName(identity, 0).split(':')[0] ?? ''}:${name}`;
}

/** Formats a task for an answer. Times are epoch milliseconds. */
export async function formatTask(deps: TaskDeps, task: Task): Promise<JsonOutputObject> {
  const listed = formatListed(deps, task, await findBlockers(deps, [task]));
  return { ...listed, log: task.log.map((entry) => ({ ...entry })) };
}

/** Formats tasks without their logs. */
export async function formatTasks(
  deps: TaskDeps,
  tasks: readonly Task[],
): Promise<readonly JsonOutputObject[]> {
  const blockers = await findBlockers(deps, tasks);
  return tasks.map((task) => formatListed(deps, task, blockers));
}

/** Finds the tasks for which others wait. Only a task with subjects does, before its first step. */
async function findBlockers(deps: TaskDeps, tasks: readonly Task[]): Promise<ReadonlyMap<number, number>> {
  const waiting = tasks.filter(({ state, subjects }) => state === 'queued' && subjects.length > 0);
  return waiting.length === 0 ? new Map() : deps.tasks.findBlockers(waiting.map(({ id }) => id));
}

function formatListed(
  { store }: Pick<TaskDeps, 'store'>,
  task: Task,
  blockers: ReadonlyMap<number, number>,
): JsonOutputObject {
  const blocker = blockers.get(task.id);
  const { id, kind, state, actor, parameters, createdMs, startedMs, endedMs, owner, outcome, reason } = task;
  return {
    task: formatTaskName(store.identity, id),
    id,
    kind,
    state,
    requestedBy: actor,
    parameters,
    progress: formatProgress(task),
    createdMillis: createdMs,
    ...(startedMs === undefined ? {} : { startedMillis: startedMs }),
    ...(endedMs === undefined ? {} : { endedMillis: endedMs }),
    workedMillis: task.workedMs,
    ...(owner === undefined ? {} : { owner }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(reason === undefined ? {} : { reason }),
    ...(blocker === undefined ? {} : { waitsFor: formatTaskName(store.identity, blocker) }),
  };
}

function formatProgress(task: Task): JsonOutputObject {
  const { progress, endedMs } = task;
  const rate = computeRate(task);
  return {
    ...progress,
    ...(rate === undefined ? {} : { perSecond: Math.round(rate.perSecond * 10) / 10 }),
    ...(rate?.leftMs === undefined || endedMs !== undefined
      ? {}
      : { secondsLeft: Math.ceil(rate.leftMs / 1_000) }),
  };
}
