import type { JsonValue } from '@stratalog/json';
import type { Aggregate, Predicate, PropertyComparison, Quantifier } from '../definition/metadata-test';
import type { EvaluationContext } from './evaluation-context';
import { walkPath } from './walk-path';

/** Steps of a predicate in addition to its values. */
const PREDICATE_STEPS = 20;

/**
 * Says whether a predicate holds for an entity or for the element of a list. It evaluates every part, so that one evaluation
 * names all facts that it needs: more facts are never fewer steps, and no outcome depends on what was known before.
 *
 * The answer means nothing while facts are missing, and after an error or beyond a bound.
 */
export function holds(context: EvaluationContext, predicate: Predicate, start: JsonValue): boolean {
  if (!takeSteps(context, predicate)) return false;
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const parts = predicate.predicates.map((part) => holds(context, part, start));
      return predicate.kind === 'and' ? parts.every(Boolean) : parts.some(Boolean);
    }
    case 'not':
      return !holds(context, predicate.predicate, start);
    case 'quantifier':
      return judgeElements(context, predicate, start).holds;
    case 'comparison':
      return compareValues(context, predicate, start).holds;
  }
}

/** Takes the steps of one predicate. False: the evaluation is over. */
export function takeSteps(context: EvaluationContext, { rule }: Pick<Predicate, 'rule'>): boolean {
  context.steps.take(PREDICATE_STEPS);
  context.noteSteps(rule);
  return !context.isOver;
}

/** Compares the values of a property. */
export function compareValues(
  context: EvaluationContext,
  predicate: PropertyComparison & Pick<Predicate, 'rule'>,
  start: JsonValue,
): { readonly holds: boolean; readonly values: readonly JsonValue[] } {
  const { path, aggregate, withinMs, compare, rule } = predicate;
  const found = walkPath(context, path, start, withinMs);
  const values = aggregate === 'latest' ? found : aggregateNumbers(aggregate, found);
  const isHeld = compare(values, context);
  context.noteSteps(rule);
  return { holds: isHeld, values };
}

/** Sum and number of no values are 0; the others are absent. */
function aggregateNumbers(aggregate: Aggregate, values: readonly JsonValue[]): readonly JsonValue[] {
  if (aggregate === 'count') return [values.length];
  const numbers = values.filter((each) => typeof each === 'number' || typeof each === 'bigint');
  const sum = sumExactly(numbers);
  if (aggregate === 'sum') return [sum];
  if (numbers.length === 0) return [];
  if (aggregate === 'average') return [divide(sum, numbers.length)];
  return [numbers.reduce((one, other) => (other < one === (aggregate === 'minimum') ? other : one))];
}

/** Sums whole numbers without a limit, as the values themselves have none; only fractions are rounded. */
function sumExactly(numbers: readonly (number | bigint)[]): number | bigint {
  let whole = 0n;
  let fractions = 0;
  for (const each of numbers) {
    if (typeof each === 'bigint' || Number.isSafeInteger(each)) whole += BigInt(each);
    else fractions += each;
  }
  return fractions === 0 ? toNumber(whole) : Number(whole) + fractions;
}

function divide(sum: number | bigint, count: number): number | bigint {
  if (typeof sum === 'number') return sum / count;
  return sum % BigInt(count) === 0n ? toNumber(sum / BigInt(count)) : Number(sum) / count;
}

/** Values have a `bigint` only where a number would be rounded. */
function toNumber(whole: bigint): number | bigint {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}

/** Judges the elements of a list. `against` are those that decide against the quantifier. */
export function judgeElements(
  context: EvaluationContext,
  { quantifier, path, where, rules, rule }: Quantifier & Pick<Predicate, 'rule'>,
  start: JsonValue,
): { readonly holds: boolean; readonly against: readonly JsonValue[] } {
  const holding: JsonValue[] = [];
  const breaking: JsonValue[] = [];
  for (const element of walkPath(context, path, start)) {
    if (context.isOver) break;
    if (where !== undefined && !isKnownToHold(context, where, element)) continue;
    (holds(context, rules, element) ? holding : breaking).push(element);
  }
  context.noteSteps(rule);
  switch (quantifier) {
    case 'every':
      return { holds: breaking.length === 0, against: breaking };
    case 'some':
      return { holds: holding.length > 0, against: breaking };
    case 'none':
      return { holds: holding.length === 0, against: holding };
  }
}

/** False also while facts about the element are missing, so that no facts are read of elements that do not count. */
function isKnownToHold(context: EvaluationContext, where: Predicate, element: JsonValue): boolean {
  const { misses } = context;
  return holds(context, where, element) && context.misses === misses;
}
