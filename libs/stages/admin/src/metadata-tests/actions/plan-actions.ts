import { runOf } from '@stratalog/domain';
import { isJsonObject, parseJson, type JsonValue } from '@stratalog/json';
import {
  ACTION_ASPECTS,
  settleActions,
  type ActingTest,
  type ActionAspect,
  type ActionTarget,
  type AspectState,
  type AspectStates,
  type Fact,
  type FactRef,
  type Outcomes,
  type PlannedPatch,
} from '@stratalog/metadata-tests';
import type { AspectHistory } from '@stratalog/ports';
import type { EntityType } from '@stratalog/registry';
import { testsActor } from '../../system-actor';
import { evaluateEntity, type EvaluationDeps, type TestReport } from '../evaluate-entity';
import { findRestless } from './find-restless';
import { isMarkedAsTakenBack } from './to-action-proposals';
import { listNew, type StoredResults } from '../results/merge-results';
import { hasActions, type StoredTest, type TestLibrary } from '../test-library';

export interface ActionDeps extends EvaluationDeps {
  readonly history: AspectHistory;
  readonly testLibrary: TestLibrary;
}

/** The writes of the actions of tests to an entity. */
export interface ActionPlan {
  readonly patches: readonly PlannedPatch[];
  /** Why the actions of a test are not run, by its urn. */
  readonly stopped: ReadonlyMap<string, string>;
  /** Versions of the aspects that the patches were decided on; -1: there is no value. */
  readonly versions: ReadonlyMap<ActionAspect, number>;
}

interface Evaluated {
  readonly urn: string;
  readonly entityType: EntityType;
  /** The stored results. */
  readonly stored: StoredResults;
  readonly reports: readonly TestReport[];
  /** Tests with stored results that are no more. */
  readonly gone: ReadonlySet<string>;
  /** Reads the tests of the catalog with actions. */
  readonly readActing: () => Promise<readonly StoredTest[]>;
}

export const NO_ACTIONS: ActionPlan = { patches: [], stopped: new Map(), versions: new Map() };
/** Most tests that a reason names. */
const MAX_NAMED = 3;

/**
 * Plans what the tests write whose outcome for an entity is new: another one than the stored result, or of another definition. What a
 * former definition added is taken back, and so is what a test added that is no more. Reads nothing when no such test has or had actions
 * to run or to take back.
 */
export async function planActions(deps: ActionDeps, evaluated: Evaluated): Promise<ActionPlan> {
  const changed = listChanged(evaluated);
  const gone = [...evaluated.gone].filter((test) => evaluated.stored.byTest.has(test)).sort();
  if (changed.length + gone.length === 0) return NO_ACTIONS;
  const { urn, entityType, stored, reports } = evaluated;
  const restless = await findRestless(deps, { urn, stored, tests: changed.map(({ test }) => test.urn) });
  const { aspects, versions } = await readAspects(deps, evaluated);
  const { registry, clock } = deps;
  const target: ActionTarget = { registry, urn, entityType, actor: testsActor(registry), nowMs: clock.now() };
  const tests = mergeTests(changed, mergeTests(reports.filter(isActing), await evaluated.readActing()));
  const evaluate = (next: AspectStates): Promise<Outcomes> => evaluateOn(deps, { urn, tests, aspects: next });
  const others = tests.filter(({ urn: other }) => !reports.some(({ test }) => test.urn === other));
  const outcomes = new Map([
    ...(await evaluateOn(deps, { urn, tests: others, aspects })),
    ...[...reports.filter(isActing), ...changed].map(
      ({ test, outcome }) => [test.urn, outcome.kind] as const,
    ),
    ...gone.map((test) => [test, 'not-applicable'] as const),
  ]);
  const settled = await settleActions({
    target,
    tests: [
      ...gone.map((test): ActingTest => ({ urn: test, actions: NO_ACTION })),
      ...tests.filter((test) => !restless.has(test.urn)).map(toActing),
    ],
    aspects,
    outcomes,
    changed: new Set([...gone, ...changed.map(({ test }) => test.urn)]),
    evaluate,
  });
  const loops = [...settled.stopped].map(([test, loop]) => [test, describeLoop(test, loop)] as const);
  return { patches: settled.patches, stopped: new Map([...restless, ...loops]), versions };
}

function listChanged({ stored, reports }: Evaluated): readonly TestReport[] {
  const acting = reports.filter(
    (report) => report.outcome.kind !== 'error' && (isActing(report) || isEdited(stored, report)),
  );
  if (acting.length === 0) return [];
  return listNew(stored, acting);
}

function isActing({ test }: TestReport): boolean {
  return hasActions(test);
}

/** True when the stored result is of another definition, which may have had actions. */
function isEdited({ byTest }: StoredResults, { test }: TestReport): boolean {
  const last = byTest.get(test.urn);
  return last !== undefined && last.result.testDefinitionMd5 !== test.md5;
}

/** Reads the aspects that actions write, with their versions. */
async function readAspects(
  { store }: ActionDeps,
  { urn, entityType }: Evaluated,
): Promise<{ readonly aspects: AspectStates; readonly versions: ReadonlyMap<ActionAspect, number> }> {
  const names = ACTION_ASPECTS.filter((name) => entityType.aspects.has(name));
  const entity = await store.readEntity(urn, names);
  const found = new Map(entity?.aspects.map((aspect) => [aspect.name, aspect]));
  const aspects = new Map<ActionAspect, AspectState>();
  const versions = new Map<ActionAspect, number>();
  for (const name of names) {
    const aspect = found.get(name);
    versions.set(name, aspect?.version ?? -1);
    const value: JsonValue | undefined = aspect === undefined ? undefined : parseJson(aspect.value);
    aspects.set(name, {
      value: isJsonObject(value) ? value : undefined,
      runId: aspect === undefined ? undefined : runOf({ ...aspect.systemMetadata, ...aspect.observed }),
      isTakenBack: isMarkedAsTakenBack(aspect?.systemMetadata),
    });
  }
  return { aspects, versions };
}

/** Merges the evaluated tests with others of the catalog, in the order of their urns. */
function mergeTests(reports: readonly TestReport[], acting: readonly StoredTest[]): readonly StoredTest[] {
  const tests = new Map(acting.map((test) => [test.urn, test]));
  for (const { test } of reports) tests.set(test.urn, test);
  return [...tests.values()].sort((one, other) => (one.urn < other.urn ? -1 : 1));
}

const NO_ACTION: ActingTest['actions'] = { passing: [], failing: [] };

function toActing({ urn, definition }: StoredTest): ActingTest {
  return { urn, actions: definition.kind === 'test' ? definition.test.actions : NO_ACTION };
}

/** Evaluates tests as if the entity had these values. */
async function evaluateOn(
  deps: ActionDeps,
  {
    urn,
    tests,
    aspects,
  }: { readonly urn: string; readonly tests: readonly StoredTest[]; readonly aspects: AspectStates },
): Promise<Outcomes> {
  const given = [...aspects].map(([aspectName, { value }]): readonly [FactRef, Fact] => [
    { urn, aspectName, aspectKind: 'versioned' },
    { values: value === undefined ? [] : [value] },
  ]);
  const reports = await evaluateEntity(deps, { urn, tests, given });
  return new Map(reports.map(({ test, outcome }) => [test.urn, outcome.kind]));
}

function describeLoop(test: string, loop: readonly string[]): string {
  const others = loop.filter((other) => other !== test);
  if (others.length === 0) return 'its actions change its own outcome back and forth';
  const more = others.length > MAX_NAMED ? ` and ${String(others.length - MAX_NAMED)} more` : '';
  return `its actions and those of ${others.slice(0, MAX_NAMED).join(', ')}${more} change the outcomes of one another back and forth`;
}
