import {
  InvalidRequestError,
  NotFoundError,
  findTaskId,
  formatTaskName,
  isEnded,
  parseTaskName,
  type Task,
} from '@stratalog/domain';
import { RawJson, stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { completeTaskName, type TaskDeps } from './describe-task';

export interface TaskStatusRequest {
  readonly nodeId?: string | undefined;
  readonly taskId: number;
  readonly task?: string | undefined;
}

/**
 * Reports a task in the form of the reference, whose tasks are those of its search engine.
 *
 * **Shape**: JSON text. Its member `status` is again JSON text, with the counts of the task.
 *
 * **Errors**: `InvalidRequestError` in the reference's wording. A task that cannot be read is an answer.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
export async function describeEsTask(deps: TaskDeps, request: TaskStatusRequest): Promise<string> {
  const name = resolveTaskName(request);
  const task = await findTask(deps, name);
  return stringifyJson(
    task === undefined ? { error: `Could not get task status for ${name}` } : formatEsTask(name, task),
  );
}

/**
 * Reports a task in the form of the OpenAPI call: the same as {@link describeEsTask}, as JSON.
 *
 * **Errors**: `InvalidRequestError` in the reference's wording; `NotFoundError` for a task that cannot be read.
 */
export async function readEsTask(deps: TaskDeps, name: string): Promise<JsonOutputObject> {
  const whole = completeTaskName(deps.store, name);
  if (parseTaskName(whole) === undefined) {
    throw new InvalidRequestError(
      `Task ID should be in the form nodeId:taskId e.g. aB1cdEf2GHI-JKLMnoPQr3:123456 (got ${name.slice(0, 200)})`,
    );
  }
  const task = await findTask(deps, whole);
  if (task === undefined) throw new NotFoundError(`Could not get task status for ${whole}`);
  return formatEsTask(formatTaskName(deps.store.identity, task.id), task);
}

async function findTask(deps: TaskDeps, name: string): Promise<Task | undefined> {
  const parsed = parseTaskName(name);
  const id = parsed === undefined ? undefined : findTaskId(deps.store.identity, parsed);
  return id === undefined ? undefined : deps.tasks.read(id);
}

/**
 * Returns the name that a call sends in one of two forms.
 *
 * **Errors**: `InvalidRequestError`.
 */
export function resolveTaskName({ nodeId, taskId, task }: TaskStatusRequest): string {
  const separate = nodeId !== undefined && taskId > 0 ? `${nodeId}:${String(taskId)}` : undefined;
  if (separate === undefined && task === undefined) {
    throw new InvalidRequestError('Please specify either Node ID + task ID OR composite task parameters');
  }
  if (separate !== undefined && task !== undefined && task !== separate) {
    throw new InvalidRequestError(
      'Please specify only one of Node ID + task ID OR composite task parameters',
    );
  }
  const name = separate ?? task ?? '';
  if (parseTaskName(name) === undefined) {
    throw new InvalidRequestError(
      `Task should be in the form nodeId:taskId e.g. aB1cdEf2GHIJKLMnoPQr3S:123456 (got ${name})`,
    );
  }
  return name;
}

const NANOS_PER_MILLISECOND = 1_000_000;
/** The engine writes its unlimited rate with a decimal. */
const UNLIMITED = new RawJson('-1.0');

function formatEsTask(name: string, task: Task): JsonOutputObject {
  return {
    completed: isEnded(task.state),
    taskId: name,
    runTimeNanos: task.workedMs * NANOS_PER_MILLISECOND,
    status: stringifyJson(formatEsStatus(task)),
  };
}

/** The counts of a task by the members that the engine has for them: truncation deletes, any other task updates. */
function formatEsStatus({
  kind,
  state,
  progress: { done, total = done },
  checkpoint,
}: Task): JsonOutputObject {
  const deletes = kind === 'truncate-timeseries';
  return {
    total,
    updated: deletes ? 0 : done,
    created: 0,
    deleted: deletes ? done : 0,
    batches: checkpoint?.batches ?? 0,
    version_conflicts: 0,
    noops: 0,
    retries: { bulk: 0, search: 0 },
    throttled_millis: 0,
    requests_per_second: UNLIMITED,
    throttled_until_millis: 0,
    ...(state === 'cancelled' ? { canceled: 'by user request' } : {}),
  };
}
