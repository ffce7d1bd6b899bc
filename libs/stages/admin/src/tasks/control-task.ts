import { NotFoundError, type TaskRequest } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { formatTask, parseTaskId, type TaskDeps } from './describe-task';

/**
 * Pauses, resumes or cancels a task. The process that runs it obeys after its current step; a repeated request changes
 * nothing, nor does one to a task that has ended.
 *
 * **Errors**: `NotFoundError` for an unknown task; `InvalidRequestError` for a text that is no name of a task.
 */
export async function controlTask(
  deps: TaskDeps & { readonly onTask: () => void },
  { task: name, request }: { readonly task: string; readonly request: TaskRequest },
  actor: string,
): Promise<JsonOutputObject> {
  const id = parseTaskId(deps.store, name);
  const task = id === undefined ? undefined : await deps.tasks.request(id, request, actor);
  if (task === undefined) throw new NotFoundError(`There is no task ${name}`);
  deps.onTask();
  return formatTask(deps, task);
}
