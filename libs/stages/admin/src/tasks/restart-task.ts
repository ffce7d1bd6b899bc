import { isEnded } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { formatTask, requireTask, type TaskDeps } from './describe-task';

/**
 * Begins a task that has ended again: a new task of the same kind with the same parameters. One that has not ended is returned as it is, and so is
 * a task for the same work that is under way.
 *
 * **Errors**: those of {@link requireTask}.
 */
export async function restartTask(
  deps: TaskDeps & { readonly onTask: () => void },
  name: string,
  actor: string,
): Promise<JsonOutputObject> {
  const task = await requireTask(deps, name);
  if (!isEnded(task.state)) return formatTask(deps, task);
  const { kind, parameters, subjects } = task;
  const { task: again } = await deps.tasks.create({ kind, parameters, subjects, actor });
  deps.onTask();
  return formatTask(deps, again);
}
