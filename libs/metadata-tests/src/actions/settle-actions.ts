import { stringifyJson, type JsonOutput } from '@stratalog/json';
import type { TestOutcome } from '../evaluation/evaluate-test';
import {
  decideActions,
  sayAgain,
  type ActingTest,
  type ActionTarget,
  type AspectStates,
  type PlannedPatch,
} from './decide-actions';

type Outcome = TestOutcome['kind'];
/** Outcomes by the urns of tests. */
export type Outcomes = ReadonlyMap<string, Outcome>;

interface Settling {
  readonly target: ActionTarget;
  /** The tests that act, in the order in which they do; outcomes may be of more. */
  readonly tests: readonly ActingTest[];
  readonly aspects: AspectStates;
  /** Outcomes on these aspects. */
  readonly outcomes: Outcomes;
  /** Urns of the tests whose outcome is new, so that they act. */
  readonly changed: ReadonlySet<string>;
  /** Evaluates the tests on other values of the aspects. */
  readonly evaluate: (aspects: AspectStates) => Promise<Outcomes>;
}

export interface SettledActions {
  readonly patches: readonly PlannedPatch[];
  /** By the urn of each test that does not act: the tests whose actions change its outcome without end, itself included. */
  readonly stopped: ReadonlyMap<string, readonly string[]>;
}

/** Rounds of evaluations and actions after which what is still changed counts as without end. */
const MAX_ROUNDS = 20;

/**
 * Decides the patches of all tests whose outcome for an entity is new, and leaves out those of tests whose actions would change
 * their outcomes back and forth.
 *
 * It applies the patches in memory, evaluates again, applies the patches of outcomes that are new by that, and so on. When outcomes
 * and aspects come back to what they were, the tests that wrote meanwhile would go on for ever: none of them acts. Loops through
 * other entities are not seen here.
 */
export async function settleActions(settling: Settling): Promise<SettledActions> {
  const stopped = new Map<string, readonly string[]>();
  for (;;) {
    const acting = new Set([...settling.changed].filter((urn) => !stopped.has(urn)));
    const first = actAll(settling, { ...settling, acting, stopped });
    const loop = await findLoop(settling, first, stopped);
    const cut = [...acting].filter((urn) => loop.includes(urn));
    if (cut.length === 0) return { patches: first.patches, stopped };
    for (const urn of cut) stopped.set(urn, loop);
  }
}

interface Acted {
  readonly patches: readonly PlannedPatch[];
  readonly aspects: AspectStates;
}

/**
 * Runs the actions of some tests, one test after the other. What one takes back that another one still says is added again, in the name of
 * the other.
 */
function actAll(
  { target, tests }: Pick<Settling, 'target' | 'tests'>,
  {
    outcomes,
    aspects,
    acting,
    stopped,
  }: Pick<Settling, 'outcomes' | 'aspects'> & {
    readonly acting: ReadonlySet<string>;
    readonly stopped: ReadonlyMap<string, unknown>;
  },
): Acted {
  let acted: Acted = { patches: [], aspects };
  const takenBack = new Set<string>();
  const run = (test: ActingTest, decide: typeof decideActions): void => {
    const outcome = outcomes.get(test.urn);
    if (outcome === undefined) return;
    const decision = decide(target, test, { outcome, aspects: acted.aspects });
    acted = { patches: [...acted.patches, ...decision.patches], aspects: decision.aspects };
    for (const key of decision.takenBack) takenBack.add(key);
  };
  for (const test of tests) if (acting.has(test.urn)) run(test, decideActions);
  if (takenBack.size === 0) return acted;
  const again: typeof decideActions = (of, test, given) => sayAgain(of, test, { ...given, takenBack });
  for (const test of tests) if (!stopped.has(test.urn)) run(test, again);
  return acted;
}

/** Finds the tests that write without end after the first patches; none when the entity settles. */
async function findLoop(
  settling: Settling,
  first: Acted,
  stopped: ReadonlyMap<string, unknown>,
): Promise<readonly string[]> {
  let { outcomes } = settling;
  let acted = first;
  // The writers of each round, and the state that they made.
  const rounds: { readonly state: string; readonly writers: readonly string[] }[] = [];
  while (acted.patches.some(isWritten)) {
    const state = formatState(outcomes, acted.aspects);
    const writers = acted.patches.filter(isWritten).map(({ test }) => test);
    const since = rounds.findIndex((round) => round.state === state);
    rounds.push({ state, writers });
    if (since >= 0) return unite(rounds.slice(since + 1).map((round) => round.writers));
    if (rounds.length > MAX_ROUNDS) return listRepeated(rounds.map((round) => round.writers));
    const before = outcomes;
    outcomes = await settling.evaluate(acted.aspects);
    const acting = new Set(
      [...outcomes].flatMap(([urn, kind]) => (kind === before.get(urn) || stopped.has(urn) ? [] : [urn])),
    );
    acted = actAll(settling, { outcomes, aspects: acted.aspects, acting, stopped });
  }
  return [];
}

function isWritten({ rejection }: PlannedPatch): boolean {
  return rejection === undefined;
}

function unite(lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort();
}

/** Lists the tests that wrote in several rounds. */
function listRepeated(rounds: readonly (readonly string[])[]): readonly string[] {
  return unite(rounds).filter((test) => rounds.filter((writers) => writers.includes(test)).length > 1);
}

function formatState(outcomes: Outcomes, aspects: AspectStates): string {
  const ofTests = [...outcomes].map(([urn, kind]) => `${kind} ${urn}`).sort();
  const ofAspects = [...aspects].map(([name, { value, runId }]): JsonOutput => [
    name,
    value ?? null,
    runId ?? null,
  ]);
  return stringifyJson([ofTests, ofAspects]);
}
