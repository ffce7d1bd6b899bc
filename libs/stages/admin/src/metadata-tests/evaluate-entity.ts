import {
  Facts,
  evaluateTest,
  factKey,
  type Fact,
  type FactRef,
  type TestOutcome,
} from '@stratalog/metadata-tests';
import { stringifyJson, type JsonOutput } from '@stratalog/json';
import type { AspectStore, Clock } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { MAX_FACT_CHARACTERS, readFacts } from './read-facts';
import type { StoredTest } from './test-library';

export interface EvaluationDeps {
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  readonly clock: Clock;
}

/** How an entity does at a test of the catalog. */
export interface TestReport {
  readonly test: StoredTest;
  readonly outcome: TestOutcome;
}

/** Most facts of all evaluations together that are held at once. One test of one entity alone never needs as many. */
const MAX_FACTS = 20_000;
/** Most characters of the facts of several evaluations: a few such groups are evaluated at the same time. */
const MAX_TOGETHER = MAX_FACT_CHARACTERS / 4;
const MAX_EXPLAINED_CHARACTERS = 4_000_000;
/** Longest work before other requests go on. */
const TURN_MS = 5;
const TOO_LARGE: TestOutcome = {
  kind: 'error',
  reason: `needs values of more than ${String(MAX_FACT_CHARACTERS)} characters`,
};

/** Bounds what one answer explains. */
export class Explanations {
  private left = MAX_EXPLAINED_CHARACTERS;

  get isOpen(): boolean {
    return this.left > 0;
  }

  note(outcome: TestOutcome): void {
    if (outcome.kind !== 'failing') return;
    this.take((outcome.failures ?? []).map((failure) => ({ ...failure })));
  }

  /** Takes from the bound what a part of the answer needs. */
  take(part: JsonOutput): void {
    this.left -= stringifyJson(part).length;
  }
}

/** An entity, and the tests that are evaluated for it. */
export interface EntityTests {
  readonly urn: string;
  readonly tests: readonly StoredTest[];
}

interface EvaluationOptions {
  /** Absent: no test is explained. */
  readonly explanations?: Explanations | undefined;
  /** Facts that are taken as given, whatever the store has. */
  readonly given?: readonly (readonly [FactRef, Fact])[] | undefined;
}

/**
 * Evaluates tests for an entity on the latest values of the store. Their facts are read together; tests that do not fit
 * together are evaluated one by one, so that no outcome depends on other tests.
 */
export async function evaluateEntity(
  deps: EvaluationDeps,
  { explanations, given, ...entity }: EntityTests & EvaluationOptions,
): Promise<readonly TestReport[]> {
  const [reports = []] = await evaluateEntities(deps, [entity], { explanations, given });
  return reports;
}

/**
 * Evaluates tests for each of some entities, as {@link evaluateEntity} does for one. Facts of all entities are read together;
 * entities whose facts do not fit together are evaluated one by one.
 *
 * **Shape**: the reports in the order of the entities.
 */
export async function evaluateEntities(
  deps: EvaluationDeps,
  entities: readonly EntityTests[],
  options: EvaluationOptions = {},
): Promise<readonly (readonly TestReport[])[]> {
  const run: Run = { ...deps, ...options, nowMs: deps.clock.now() };
  const pairs = entities.map(({ urn, tests }) => tests.map((test): Pair => ({ urn, test })));
  const all = pairs.flat();
  const outcomes = new Map<Pair, TestOutcome>();
  // All together, else those of an entity together, else each alone.
  const groupings = [...(entities.length > 1 ? [[all]] : []), pairs, all.map((pair) => [pair])];
  for (const group of groupings.flat()) {
    const left = group.filter((pair) => !outcomes.has(pair));
    if (left.length === 0) continue;
    for (const [pair, outcome] of await evaluateTogether(run, left)) outcomes.set(pair, outcome);
  }
  return pairs.map((own) =>
    own.map((pair) => ({ test: pair.test, outcome: outcomes.get(pair) ?? TOO_LARGE })),
  );
}

/** One test of one entity. */
interface Pair {
  readonly urn: string;
  readonly test: StoredTest;
}

interface Run extends EvaluationDeps, EvaluationOptions {
  readonly nowMs: number;
}

/** Reads what the evaluations ask for until each has its outcome. Those whose facts do not fit have none. */
async function evaluateTogether(
  { store, registry, nowMs, explanations, given = [] }: Run,
  pairs: readonly Pair[],
): Promise<ReadonlyMap<Pair, TestOutcome>> {
  const facts = new Facts(registry);
  for (const [ref, fact] of given) facts.set(ref, fact);
  const outcomes = new Map<Pair, TestOutcome>();
  let pending = pairs;
  // A test alone reads only what it asks for: what it could ask for may be more than is held.
  const isAlone = pairs.length === 1;
  const source = { store, nowMs, ...(isAlone ? {} : { maxCharacters: MAX_TOGETHER }) };
  let fits = isAlone || (await readFacts(source, listOwnFacts(pairs, facts), facts));
  let turnEndsAt = performance.now() + TURN_MS;
  while (fits && pending.length > 0) {
    const missing = new Map<string, FactRef>();
    const incomplete: Pair[] = [];
    for (const pair of pending) {
      const explains = explanations?.isOpen === true;
      const { urn } = pair;
      const evaluation = evaluate(pair.test, { urn, facts, nowMs, explains });
      if (evaluation.kind !== 'incomplete') {
        outcomes.set(pair, evaluation);
        explanations?.note(evaluation);
      } else if (facts.size + missing.size + evaluation.missing.length <= MAX_FACTS) {
        incomplete.push(pair);
        for (const ref of evaluation.missing) missing.set(factKey(ref), ref);
      }
      if (performance.now() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = performance.now() + TURN_MS;
    }
    pending = incomplete;
    fits = await readFacts(source, [...missing.values()], facts);
  }
  return outcomes;
}

/**
 * Lists the aspects of the entities themselves that tests may ask for and that are not known. Read before the first evaluation,
 * they spare most tests the others.
 */
function listOwnFacts(pairs: readonly Pair[], facts: Facts): readonly FactRef[] {
  const refs = new Map<string, FactRef>();
  for (const { urn, test } of pairs) {
    const type = facts.findType(urn);
    if (type === undefined || test.definition.kind !== 'test') continue;
    const { types, reads } = test.definition.test;
    if (!types.has(type.name)) continue;
    for (const aspectName of reads.own) {
      const ref: FactRef = { urn, aspectName, aspectKind: 'versioned' };
      const key = factKey(ref);
      if (refs.has(key) || type.aspects.get(aspectName)?.kind !== 'versioned') continue;
      if (facts.get(ref) === undefined) refs.set(key, ref);
      if (refs.size >= MAX_FACTS) return [...refs.values()];
    }
  }
  return [...refs.values()];
}

function evaluate(
  { definition }: StoredTest,
  input: Parameters<typeof evaluateTest>[1],
): ReturnType<typeof evaluateTest> {
  switch (definition.kind) {
    case 'test':
      return evaluateTest(definition.test, input);
    case 'draft':
      return { kind: 'not-applicable' };
    case 'faulty': {
      const [first] = definition.faults;
      return {
        kind: 'error',
        reason: `the definition is faulty: ${first?.path ?? ''} ${first?.reason ?? ''}`,
      };
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resume) => {
    setImmediate(resume);
  });
}
