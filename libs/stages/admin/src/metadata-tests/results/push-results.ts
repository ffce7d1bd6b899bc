import { setTimeout as pause } from 'node:timers/promises';
import { InvalidProposalError, NotFoundError, UnavailableError, type Position } from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';
import type { TestReport } from '../evaluate-entity';
import { TEST_RESULTS, listOtherTests, parseResults, type StoredResults } from './merge-results';
import { NO_ACTIONS, type ActionPlan } from '../actions/plan-actions';
import { writeResults, type WriteResultsDeps } from './write-results';

export type PushDeps = WriteResultsDeps;

/** Attempts when others write the results of the same entity at the same time. */
const ATTEMPTS = 50;
/** Longest pause after one attempt, and after many. */
const STEP_MS = 5;
const MAX_PAUSE_MS = 100;

interface Pushed<Evaluated> {
  readonly urn: string;
  readonly entityType: EntityType;
  /** Urns of the tests that are evaluated, whose results alone may go; `undefined`: those of every test. */
  readonly named: readonly string[] | undefined;
  readonly evaluate: (attempt: number) => Promise<Evaluated>;
}

interface PushedResults<Evaluated> {
  readonly evaluated: Evaluated;
  /** The writes of actions that came with the results. */
  readonly plan: ActionPlan;
  readonly position: Position | undefined;
}

/**
 * Evaluates, and writes the results to the entity. The stored results are read before; when they changed meanwhile, it evaluates
 * again. So a result never replaces one of a later evaluation, and results of other evaluations that are written at the same time
 * are not lost.
 *
 * **Shape**: the position of the write; `undefined` when there is nothing to write.
 *
 * **Errors**: `InvalidProposalError` when the writer rejects the proposal. `NotFoundError` when the entity is deleted meanwhile.
 * `UnavailableError` when others went on writing the results.
 */
export async function pushResults<Evaluated extends { readonly reports: readonly TestReport[] }>(
  deps: PushDeps,
  { urn, entityType, named, evaluate }: Pushed<Evaluated>,
): Promise<PushedResults<Evaluated>> {
  let expected: string | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const stored = await readStoredResults(deps, urn, entityType);
    const evaluated = await evaluate(attempt);
    const { reports } = evaluated;
    const gone = await findGone(deps, [{ stored, reports }], named);
    const outcome = await writeResults(deps, [{ urn, entityType, stored, reports, gone }]);
    if (outcome.kind === 'written') {
      return { evaluated, plan: outcome.plans.get(urn) ?? NO_ACTIONS, position: outcome.position };
    }
    if (outcome.expected === expected) throw new InvalidProposalError(outcome.reason);
    ({ expected } = outcome);
    await pause(Math.random() * Math.min(attempt * STEP_MS, MAX_PAUSE_MS));
  }
  throw new UnavailableError(`Others write the results of ${urn} all the time; nothing was written`);
}

/**
 * Reads the results of an entity.
 *
 * **Errors**: `NotFoundError` when the entity does not exist.
 */
export async function readStoredResults(
  { store }: Pick<PushDeps, 'store'>,
  urn: string,
  entityType: EntityType,
): Promise<StoredResults> {
  const entity = await store.readEntity(urn, [TEST_RESULTS, entityType.keyAspect.name]);
  if (entity?.deleted !== false) throw new NotFoundError(`Entity ${urn} does not exist`);
  return parseResults(entityType, entity);
}

interface EvaluatedResults {
  readonly stored: StoredResults;
  readonly reports: readonly TestReport[];
}

/**
 * Finds tests with stored results that are no more: all, or those that are named. One that was made after the evaluation began
 * is not gone.
 */
export async function findGone(
  { testLibrary }: Pick<PushDeps, 'testLibrary'>,
  evaluated: readonly EvaluatedResults[],
  named: readonly string[] | undefined,
): Promise<ReadonlySet<string>> {
  const others = new Set(evaluated.flatMap(({ stored, reports }) => listOtherTests(stored, reports)));
  const candidates = named === undefined ? [...others] : named.filter((urn) => others.has(urn));
  if (candidates.length === 0) return new Set();
  const existing = new Set((await testLibrary.read(candidates)).map(({ urn }) => urn));
  return new Set(candidates.filter((urn) => !existing.has(urn)));
}
