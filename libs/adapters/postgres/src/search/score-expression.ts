import type { ScoreCase, ScoreTerm } from '@stratalog/model';
import type { StatementParameters } from '../database/statement-parameters';
import { completionLexeme } from './to-tsquery';
import { quoteLexeme, weightOf } from './to-tsvector';

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
        .map((cases) => guardTerm(cases, buildTerm(cases, texts), parameters));
    return [...terms(true), `weight * (${['1::real', ...terms(false)].join(' + ')})`].join(' + ');
  };
  const byNames = sum(isInNames);
  return [...texts.keys()].every(isInNames) ? { byNames } : { byNames, byAll: sum(() => true) };
}

/**
 * Puts one test that every case of a term implies before them. Each test of the names copies them first, and most matches of a frequent
 * word fail all.
 */
function guardTerm(cases: readonly ScoreCase[], term: string, parameters: StatementParameters): string {
  if (cases.length === 1 || !cases.every(isInNames)) return term;
  const alternatives = cases.filter((each) => !cases.some((other) => implies(each, other))).map(toText);
  return `case when names @@ ${parameters.add(alternatives.join(' | '))}::tsquery then ${term} else 0::real end`;
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
