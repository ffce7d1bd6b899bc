import type { JsonObject } from '@stratalog/json';
import { completeTask, type CompleteDeps, type TaskKind } from '@stratalog/tasks';
import { formatRollback, planLeft, planRollback, type RunRollbackDeps } from './plan-rollback';
import { parseRollbackOutcome, type RollbackParameters } from './rollback-task';
import { rejectNoRun } from './run-queries';
import { planTakenValues } from './take-back-values';

export interface RollbackCallDeps
  extends Pick<RunRollbackDeps, 'registry' | 'runs' | 'timeseries'>, Omit<CompleteDeps, 'store'> {
  readonly store: CompleteDeps['store'] & RunRollbackDeps['store'];
  readonly rollback: TaskKind<RollbackParameters>;
}

export interface RollbackRequest extends RollbackParameters {
  readonly dryRun: boolean;
}

export interface RollbackAnswer {
  readonly body: JsonObject;
  /** Name of the task that rolled the run back; absent of a dry run. */
  readonly task?: string;
}

/**
 * Rolls back the values of a run that are still the latest, by a task, and answers when it has ended. Each aspect returns to its state before the run; an
 * entity that the run created is soft-deleted or hard-deleted. Its timeseries values are deleted. Concurrent writes, later writes of the run, and values
 * that another run has confirmed stay.
 *
 * **Shape**: that of the reference; also `timeseriesRows` when the run wrote timeseries values, and `aspectsLeft` and `left` (the first
 * hundred, with reasons) when aspects had to stay.
 *
 * **Order and repeats**: the task goes on when the caller leaves; a repeated call waits for the same task.
 *
 * **Errors**: `InvalidRequestError` for `no-run-id-provided`; `UnavailableError` when log or writer did not answer in
 * time, or an operator stopped the task.
 *
 * **Source**: `docs/what/run.md`, Rollback; `docs/wire-decisions.md`, Runs.
 */
export async function rollbackRun(
  deps: RollbackCallDeps,
  { dryRun, runId, isHard }: RollbackRequest,
  actor: string,
): Promise<RollbackAnswer> {
  rejectNoRun(runId);
  const parameters = { runId, isHard };
  if (dryRun) {
    const plan = await planRollback(deps, parameters);
    const { count: timeseriesRows } = await planTakenValues(deps.timeseries, runId);
    const left = await planLeft(deps, parameters);
    return { body: formatRollback(deps.registry, parameters, { plan, left, timeseriesRows }) };
  }
  const { task, outcome } = await completeTask(deps, deps.rollback.newTask(parameters, actor));
  return { task, body: parseRollbackOutcome(outcome) };
}
