import { maxOffsets, type Position } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { Failure, TestOutcome } from '@stratalog/metadata-tests';
import { entityNamed } from '@stratalog/registry';
import { Explanations, evaluateEntity, type TestReport } from './evaluate-entity';
import { TEST_RESULTS } from './results/merge-results';
import { NO_ACTIONS, planActions, type ActionPlan } from './actions/plan-actions';
import { findGone, pushResults, readStoredResults, type PushDeps } from './results/push-results';
import { describeActions } from './actions/describe-actions';
import { requireExisting } from './require-existing';
import { requireTestUrn } from './require-test-urn';
import type { StoredTest } from './test-library';

export interface TestSelection {
  /** Urns of tests; `undefined`: every test of the catalog. */
  readonly tests: readonly string[] | undefined;
  /** True when the results are written to the entities. */
  readonly push: boolean;
  /** True when nothing is written, and the answer says what `push` would write. */
  readonly dryRun: boolean;
  /** True when the answer has the findings of each test. */
  readonly explain: boolean;
}

export interface EvaluationAnswer {
  readonly results: JsonOutputObject;
  /** Of the write of the results. */
  readonly position: Position | undefined;
}

/** Most entities of one call. */
export const MAX_EVALUATED_ENTITIES = 100;

/**
 * Evaluates tests for an entity on the latest values of the store.
 *
 * **Shape**: tests that pass and tests that fail. Those that do not apply, that cannot be evaluated, or that do not exist are in
 * neither list; `details` has them all.
 *
 * **Errors**: `InvalidRequestError` for a malformed urn. `NotFoundError` for an entity that does not exist.
 *
 * **Source**: `docs/wire-decisions.md`, Operations.
 */
export async function evaluateTests(
  deps: PushDeps,
  urn: string,
  selection: TestSelection,
): Promise<EvaluationAnswer> {
  entityNamed(deps.registry, urn);
  const stored = await selectTests(deps, selection);
  await requireExisting(deps, [urn]);
  return evaluateOne(deps, urn, { ...selection, stored, explanations: openExplanations(selection) });
}

/** Evaluates tests for several entities, one after the other. Nothing is written when one of them does not exist. */
export async function evaluateTestsOfEach(
  deps: PushDeps,
  urns: readonly string[],
  selection: TestSelection,
): Promise<EvaluationAnswer> {
  for (const urn of urns) entityNamed(deps.registry, urn);
  const stored = await selectTests(deps, selection);
  await requireExisting(deps, urns);
  const explanations = openExplanations(selection);
  const results: Record<string, JsonOutputObject> = {};
  let position: Position | undefined;
  for (const urn of new Set(urns)) {
    const answer = await evaluateOne(deps, urn, { ...selection, stored, explanations });
    results[urn] = answer.results;
    position = joinPositions(position, answer.position);
  }
  return { results: { results }, position };
}

function openExplanations({ explain }: TestSelection): Explanations | undefined {
  return explain ? new Explanations() : undefined;
}

async function selectTests(
  { registry, testLibrary }: PushDeps,
  { tests }: TestSelection,
): Promise<readonly StoredTest[]> {
  if (tests === undefined) return testLibrary.readAll();
  for (const urn of tests) requireTestUrn(registry, urn);
  return testLibrary.read(tests);
}

interface OpenSelection extends TestSelection {
  readonly stored: readonly StoredTest[];
  readonly explanations: Explanations | undefined;
}

/** The tests that were evaluated, with their outcomes. */
interface EvaluatedTests {
  readonly stored: readonly StoredTest[];
  readonly reports: readonly TestReport[];
}

async function evaluateOne(deps: PushDeps, urn: string, selection: OpenSelection): Promise<EvaluationAnswer> {
  const { entityType } = entityNamed(deps.registry, urn);
  // An entity of a type without results has no tests.
  const hasResults = entityType.aspects.has(TEST_RESULTS);
  const evaluate = async (attempt: number): Promise<EvaluatedTests> => {
    // The tests may have changed too when another evaluation wrote results.
    const stored = attempt === 1 ? selection.stored : await selectTests(deps, selection);
    const { explanations } = selection;
    const reports = hasResults ? await evaluateEntity(deps, { urn, tests: stored, explanations }) : [];
    return { stored, reports };
  };
  const described = { ...selection, plan: NO_ACTIONS };
  if (!hasResults || !(selection.push || selection.dryRun)) {
    return { results: describeResults(await evaluate(1), described), position: undefined };
  }
  if (selection.dryRun) {
    const stored = await readStoredResults(deps, urn, entityType);
    const evaluated = await evaluate(1);
    const readActing = (): Promise<readonly StoredTest[]> => deps.testLibrary.readActing();
    const { reports } = evaluated;
    const gone = await findGone(deps, [{ stored, reports }], selection.tests);
    const plan = await planActions(deps, { urn, entityType, stored, readActing, reports, gone });
    return { results: describeResults(evaluated, { ...selection, plan }), position: undefined };
  }
  const pushed = { urn, entityType, named: selection.tests, evaluate };
  const { evaluated, plan, position } = await pushResults(deps, pushed);
  return { results: describeResults(evaluated, { ...selection, plan }), position };
}

interface Described extends OpenSelection {
  readonly plan: ActionPlan;
}

function describeResults({ stored, reports }: EvaluatedTests, described: Described): JsonOutputObject {
  const writing = described.plan.patches.map(({ test }) => test);
  const unknown = [...new Set([...(described.tests ?? []), ...writing])].filter(
    (test) => !stored.some((each) => each.urn === test),
  );
  return {
    passing: listTests(reports, 'passing', 'SUCCESS'),
    failing: listTests(reports, 'failing', 'FAILURE'),
    ...(described.explain
      ? {
          details: [
            ...reports.map((report) => describe(report, described)),
            ...unknown.map((test) => ({
              test,
              outcome: 'unknown',
              ...describeActions(test, described),
            })),
          ],
        }
      : {}),
  };
}

function listTests(
  reports: readonly TestReport[],
  kind: TestOutcome['kind'],
  type: string,
): readonly JsonOutputObject[] {
  return reports.filter(({ outcome }) => outcome.kind === kind).map(({ test }) => ({ test: test.urn, type }));
}

function describe({ test, outcome }: TestReport, described: Described): JsonOutputObject {
  return {
    test: test.urn,
    name: test.name,
    ...describeOutcome(outcome),
    ...describeActions(test.urn, described),
  };
}

/** Says how an entity does at a test, and why. */
export function describeOutcome(outcome: TestOutcome): JsonOutputObject {
  return {
    outcome: outcome.kind === 'not-applicable' ? 'notApplicable' : outcome.kind,
    ...(outcome.kind === 'error' ? { reason: outcome.reason } : {}),
    ...(outcome.kind === 'failing' ? explain(outcome) : {}),
  };
}

function explain({ failures }: Extract<TestOutcome, { kind: 'failing' }>): JsonOutputObject {
  return failures === undefined
    ? { reason: 'the explanation is too long' }
    : { failures: failures.map(describeFailure) };
}

function describeFailure({
  rule,
  property,
  operator,
  expected,
  found,
  isNegated,
}: Failure): JsonOutputObject {
  return { rule, property, operator, ...(isNegated ? { negated: true } : {}), expected, found };
}

/** The later of two writes: a position covers every partition that either of them wrote. */
function joinPositions(one: Position | undefined, other: Position | undefined): Position | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { ...one, seqs: maxOffsets(one.seqs, other.seqs) };
}
