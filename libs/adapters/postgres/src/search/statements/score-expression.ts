import type { ScoreCase, ScoreTerm } from '@stratalog/model';
import type { StatementParameters } from '../../database/statement-parameters';
import { completionLexeme } from './to-tsquery';
import { quoteLexeme, weightOf } from '../to-tsvector';

/** The expressions that compute a score. */
export interface ScoreExpressions {
  /** The score as far as names decide it, computed from the narrow columns of a row. No other score is lower. */
  readonly byNames: string;
  /** The score, computed from all columns; absent when names decide it. */
  readonly byAll?: string;
}

/** Builds the expressions of a ranking: `fixed parts + weight * (1 + other parts)`. */
export function buildScore(ranking: readonly ScoreTerm[], parameters: StatementParameters): ScoreExpressions {
  const texts = new Map<ScoreCase, string>();
  for (const each of ranking.flatMap(({ cases }) => cases)) texts.set(each, parameters.add(toText(each)));
  const sum = (isUsed: (each: ScoreCase) => boolean): string => {
    const terms = (areFixed: boolean): readonly string[] =>
      ranking
        .filter(({ isFixed = false }) => isFixed === areFixed)
        .map(({ cases }) => cases.filter(isUsed))
        .filter((cases) => cases.length > 0)
        .map((cases) => buildTerm(cases, texts));
    return [...terms(true), `weight * (${['1::real', ...terms(false)].join(' + ')})`].join(' + ');
  };
  const inNames = [...texts.keys()].filter(isInNames);
  // Each test of the names copies them first, and most matches of a frequent word fail all: one test before the others decides for these.
  const byNames = guard(inNames, sum(isInNames), 'weight', parameters);
  return inNames.length === texts.size ? { byNames } : { byNames, byAll: sum(() => true) };
}

/** Puts one test that every case of an expression implies before the expression, where that has several; without it the other one holds. */
function guard(
  cases: readonly ScoreCase[],
  expression: string,
  otherwise: string,
  parameters: StatementParameters,
): string {
  if (cases.length < 2) return expression;
  const alternatives = cases.filter((each) => !cases.some((other) => implies(each, other))).map(toText);
  return `case when names @@ ${parameters.add(alternatives.join(' | '))}::tsquery then ${expression} else ${otherwise} end`;
}

/** True when the start of a value, in another case, is one of this. */
function implies(one: ScoreCase, other: ScoreCase): boolean {
  return (
    one !== other &&
    one.kind === 'completion' &&
    other.kind === 'completion' &&
    !other.isWhole &&
    one.field === other.field &&
    one.start.startsWith(other.start) &&
    (one.isWhole || one.start !== other.start)
  );
}

function buildTerm(cases: readonly ScoreCase[], texts: ReadonlyMap<ScoreCase, string>): string {
  const tests = [...cases]
    .sort((one, other) => other.boost - one.boost)
    .map((each) => {
      const column = isInNames(each) ? 'names' : 'tokens';
      return `when ${column} @@ ${texts.get(each) ?? ''}::tsquery then ${String(each.boost)}::real`;
    });
  return `case ${tests.join(' ')} else 0::real end`;
}

/** True when the column of names answers the test. */
function isInNames(test: ScoreCase): boolean {
  return test.kind === 'completion' || test.tier === 1;
}

function toText(test: ScoreCase): string {
  if (test.kind === 'completion')
    return completionLexeme(test.field, test.start) + (test.isWhole ? '' : ':*');
  // The column of names has no weights.
  const weight = test.tier === 'any' || test.tier === 1 ? '' : weightOf(test.tier);
  if (test.kind === 'prefix') return `${quoteLexeme(test.start)}:*${weight}`;
  return test.anyOf.map((token) => quoteLexeme(token) + (weight === '' ? '' : `:${weight}`)).join(' | ');
}
