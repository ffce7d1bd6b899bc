import type { MetadataTest } from '../definition/metadata-test';
import { holds } from './evaluate-predicate';
import { EvaluationContext, type Known } from './evaluation-context';
import { explainFailure, type Failure } from './explain-failure';
import type { FactRef } from './facts';

/** How an entity does at one test. */
export type TestOutcome =
  | { readonly kind: 'passing' }
  /** Without `failures` it is not explained: the caller did not ask for it, or it takes too long. */
  | { readonly kind: 'failing'; readonly failures: readonly Failure[] | undefined }
  /** The test is about other types, or the entity does not meet its conditions. */
  | { readonly kind: 'not-applicable' }
  /** The test cannot be evaluated for this entity. */
  | { readonly kind: 'error'; readonly reason: string };

/** An outcome, or the facts that an evaluation needs first. */
export type Evaluation = TestOutcome | { readonly kind: 'incomplete'; readonly missing: readonly FactRef[] };

export interface EvaluationInput extends Known {
  readonly urn: string;
  /** True when a failing test says which rules it breaks. */
  readonly explains: boolean;
}

/**
 * Evaluates a test for an entity: a pure function of the test, of facts about the store, and of the time. Its cost is bounded.
 *
 * Without all facts it names the missing ones. A path through references names those of one entity after the other, so at
 * most a few rounds of reading complete an evaluation.
 */
export function evaluateTest(test: MetadataTest, { urn, explains, ...known }: EvaluationInput): Evaluation {
  const type = known.facts.findType(urn)?.name;
  if (type === undefined || !test.types.has(type)) return { kind: 'not-applicable' };
  const context = new EvaluationContext(known);
  const applies = holds(context, test.conditions, urn);
  const early = endEarly(context);
  if (early !== undefined) return early;
  if (!applies) return { kind: 'not-applicable' };
  const passes = holds(context, test.rules, urn);
  const end = endEarly(context);
  if (end !== undefined) return end;
  if (passes) return { kind: 'passing' };
  const failures = explains ? explainFailure(new EvaluationContext(known), test.rules, urn) : undefined;
  return { kind: 'failing', failures };
}

/**
 * The end of an evaluation that lacks facts, or that cannot be completed. It is beyond a bound of the evaluation with more
 * facts too; which error comes first is known with all facts only.
 */
function endEarly({ limit, error, missing }: EvaluationContext): Evaluation | undefined {
  if (limit !== undefined) return { kind: 'error', reason: limit };
  if (missing.size > 0) return { kind: 'incomplete', missing: [...missing.values()] };
  return error === undefined ? undefined : { kind: 'error', reason: error };
}
