import { InvalidRequestError } from '@stratalog/domain';
import { withoutNul, type JsonOutputObject } from '@stratalog/json';
import type { TaskStore } from '@stratalog/ports';
import { entityNamed, entityTypeNamed } from '@stratalog/registry';
import type { TaskKind } from '@stratalog/tasks';
import { formatTask } from '../tasks/describe-task';
import type { EvaluationParameters } from './evaluation-task';
import { TEST_RESULTS } from './results/merge-results';
import type { PushDeps } from './results/push-results';
import { requireTestUrn } from './require-test-urn';
import { parseSelection } from './select-entities';

export interface EvaluationStartDeps extends PushDeps {
  readonly tasks: TaskStore;
  readonly evaluation: TaskKind<EvaluationParameters>;
  /** Called after a task was created. */
  readonly onTask: () => void;
}

/** The selection that is evaluated; an absent member means all. */
export interface EvaluationRequest {
  readonly tests?: readonly string[] | undefined;
  readonly entityTypes?: readonly string[] | undefined;
  readonly urns?: readonly string[] | undefined;
  /** A search, as users write it. */
  readonly query?: string | undefined;
  /** True: nothing is written, and the outcome of the task says what would be. */
  readonly dryRun?: boolean;
}

/**
 * Has tests evaluated for a selection of entities or for all, by a task that writes the results, and returns the task at once.
 *
 * **Order and repeats**: a repeated request returns the same task until it has ended.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn, for an unknown entity type and for one without results, for a query that is
 * not valid, and when the catalog has more tests than are evaluated without being named.
 */
export async function startEvaluation(
  deps: EvaluationStartDeps,
  { tests, entityTypes, urns, query, dryRun = false }: EvaluationRequest,
  actor: string,
): Promise<JsonOutputObject> {
  const { registry, testLibrary, evaluation } = deps;
  for (const urn of tests ?? []) requireTestUrn(registry, urn);
  for (const urn of urns ?? []) entityNamed(registry, urn);
  for (const [name, value] of Object.entries({ entityTypes, query })) {
    if (urns === undefined || value === undefined) continue;
    throw new InvalidRequestError(`Parameters 'urns' and '${name}' exclude each other`);
  }
  const selection = {
    entityTypes: toNames(entityTypes?.map((name) => requireTested(deps, name))),
    urns: toNames(urns),
    // The store keeps the parameters of a task, and takes no such characters; no word of an index has one.
    query: query === undefined ? null : withoutNul(query),
  };
  if (selection.query !== null) parseSelection(registry, { ...selection, query: selection.query });
  if (tests === undefined) await testLibrary.readAll();
  const { task } = await deps.tasks.create(
    evaluation.newTask({ tests: toNames(tests), ...selection, dryRun, position: null }, actor),
  );
  deps.onTask();
  return formatTask(deps, task);
}

function requireTested({ registry }: EvaluationStartDeps, name: string): string {
  const type = entityTypeNamed(registry, name);
  if (type.aspects.has(TEST_RESULTS)) return type.name;
  throw new InvalidRequestError(`Parameter 'entityTypes': entities of type ${name} have no ${TEST_RESULTS}`);
}

/** Each name once and in order, so that the same selection is the same task. */
function toNames(names: readonly string[] | undefined): string[] | null {
  return names === undefined ? null : [...new Set(names)].sort();
}
