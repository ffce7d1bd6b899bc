import type { JsonObject } from '@stratalog/json';
import { entityNamed } from '@stratalog/registry';
import { completeTask, type CompleteDeps, type TaskKind } from '@stratalog/tasks';
import {
  REMOVED_REFERENCES,
  findReferences,
  type ReferenceDeps,
  type ReferenceParameters,
} from './reference-task';

export interface ReferenceCallDeps extends ReferenceDeps, Omit<CompleteDeps, 'store'> {
  readonly store: CompleteDeps['store'] & ReferenceDeps['store'];
  readonly removal: TaskKind<ReferenceParameters>;
}

/**
 * Removes all references to a urn from the aspects of other entities, by a task, and answers when it has ended. The graph names
 * the referring entities, once it includes all writes before the call.
 *
 * **Shape**: `relatedAspects`: the first ten references. `total`: the number of edges that end at the urn. `left`, if
 * any: the first ten references that a schema requires. `task`: the name of the task; absent of a dry run.
 *
 * **Order and repeats**: the task goes on when the caller leaves; a repeated call waits for the same task.
 *
 * **Errors**: `InvalidRequestError` for an invalid urn; `UnavailableError` while the graph is being built, and when an operator stopped
 * the task; `NotCaughtUpError` when the graph does not catch up in time.
 *
 * **Source**: `docs/wire-decisions.md`, Writing.
 */
export async function deleteReferences(
  deps: ReferenceCallDeps,
  { urn, dryRun }: { readonly urn: string; readonly dryRun: boolean },
  actor: string,
): Promise<{ readonly body: JsonObject; readonly task?: string }> {
  entityNamed(deps.registry, urn);
  // Also before a real run: a graph that does not answer now rejects the call instead of a task that waits.
  const found = await findReferences(deps, urn);
  if (dryRun) return { body: found };
  const { task, outcome } = await completeTask(deps, deps.removal.newTask({ urn }, actor));
  return { task, body: REMOVED_REFERENCES.parse(outcome) as JsonObject };
}
