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
        .map(({ cases }) => buildTerm(cases.filter(isUsed), texts))
        .filter((text) => text !== '');
    return [...terms(true), `weight * (${['1::real', ...terms(false)].join(' + ')})`].join(' + ');
  };
  const byNames = sum(isInNames);
  return [...texts.keys()].every(isInNames) ? { byNames } : { byNames, byAll: sum(() => true) };
}

function buildTerm(cases: readonly ScoreCase[], texts: ReadonlyMap<ScoreCase, string>): string {
  if (cases.length === 0) return '';
  const tests = [...cases]
    .sort((one, other) => other.boost - one.boost)
    .map((each) => {
      const column = isInNames(each) ? 'names' : 'tokens';
      return `when ${column} @@ ${texts.get(each) ?? ''}::tsquery then ${String(each.boost)}::real`;
    });
  return `case ${tests.join(' ')} else 0::real end`;
}

/** Whether the column of names answers the test. */
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
