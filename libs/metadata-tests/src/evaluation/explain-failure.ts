import { stringifyJson, type JsonValue } from '@stratalog/json';
import type { Predicate, PropertyComparison, Quantifier } from '../definition/metadata-test';
import { cut } from '../show';
import { compareValues, judgeElements, takeSteps } from './evaluate-predicate';
import type { EvaluationContext } from './evaluation-context';
import { walkPath } from './walk-path';

/** A rule that does not hold, and what it found. */
export interface Failure {
  /** Place of the rule in the definition: `/rules/and/0`. */
  readonly rule: string;
  readonly property: string;
  /** Name of the operator or quantifier. */
  readonly operator: string;
  /** Operands as the definition has them; the first ten, and long ones cut. */
  readonly expected: readonly JsonValue[];
  /** Values of the property, or elements of the list that break the rule; the first ten, and long ones cut. */
  readonly found: readonly string[];
  /** True when the rule must not hold, and does. */
  readonly isNegated: boolean;
}

const MAX_SHOWN = 10;
const MAX_CHARACTERS = 200;
const MAX_FAILURES = 50;

/**
 * Lists the rules that break a predicate which does not hold. Every fact must be known. `undefined` when that takes more
 * steps than an evaluation may.
 */
export function explainFailure(
  context: EvaluationContext,
  predicate: Predicate,
  start: JsonValue,
): readonly Failure[] | undefined {
  const failures = findFailures(context, predicate, { start, isNegated: false });
  return context.isOver ? undefined : (failures ?? []);
}

interface Demand {
  readonly start: JsonValue;
  /** True when the predicate must not hold. */
  readonly isNegated: boolean;
}

/** Returns `undefined` for a predicate that is as it must be. Evaluates each part once. */
function findFailures(
  context: EvaluationContext,
  predicate: Predicate,
  demand: Demand,
): readonly Failure[] | undefined {
  if (!takeSteps(context, predicate)) return [];
  const { start, isNegated } = demand;
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const parts = predicate.predicates.map((part) => findFailures(context, part, demand));
      const failing = parts.filter((part) => part !== undefined);
      const needsAll = (predicate.kind === 'and') !== isNegated;
      const fails = needsAll ? failing.length > 0 : failing.length === parts.length;
      return fails ? failing.flat().slice(0, MAX_FAILURES) : undefined;
    }
    case 'not':
      return findFailures(context, predicate.predicate, { start, isNegated: !isNegated });
    case 'quantifier':
      return explainQuantifier(context, predicate, demand);
    case 'comparison': {
      const { holds, values } = compareValues(context, predicate, start);
      return holds === isNegated ? [describeComparison(predicate, values, isNegated)] : undefined;
    }
  }
}

function explainQuantifier(
  context: EvaluationContext,
  predicate: Quantifier & Pick<Predicate, 'rule'>,
  { start, isNegated }: Demand,
): readonly Failure[] | undefined {
  const { quantifier, path, rules } = predicate;
  const { holds, against } = judgeElements(context, predicate, start);
  if (holds !== isNegated) return undefined;
  const found = isNegated ? walkPath(context, path, start) : against;
  const inner =
    isNegated || quantifier === 'none'
      ? []
      : against
          .slice(0, MAX_SHOWN)
          .flatMap((element) => findFailures(context, rules, { start: element, isNegated: false }) ?? []);
  const failure = { ...describe(predicate, found), operator: quantifier, expected: [], isNegated };
  return [failure, ...inner].slice(0, MAX_FAILURES);
}

function describeComparison(
  predicate: PropertyComparison & Pick<Predicate, 'rule'>,
  values: readonly JsonValue[],
  isNegated: boolean,
): Failure {
  const { operator, operands } = predicate;
  const expected = operands
    .slice(0, MAX_SHOWN)
    .map((operand) => (typeof operand === 'string' ? cut(operand, MAX_CHARACTERS) : operand));
  return { ...describe(predicate, values), operator, expected, isNegated };
}

function describe(
  { rule, path }: { readonly rule: string; readonly path: { readonly text: string } },
  found: readonly JsonValue[],
): Pick<Failure, 'rule' | 'property' | 'found'> {
  return { rule, property: cut(path.text, MAX_CHARACTERS), found: found.slice(0, MAX_SHOWN).map(shorten) };
}

function shorten(value: JsonValue): string {
  return cut(typeof value === 'string' ? value : stringifyJson(value), MAX_CHARACTERS);
}
