import type { ScoreCase, ScoreTerm } from '@stratalog/model';
import type { StatementParameters } from '../../database/statement-parameters';
import { completionLexeme } from './to-tsquery';
import { requiredStarts } from '../name-starts';
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
  const byNames = guard(inNames, sum(isInNames), 'weight', parameters);
  return inNames.length === texts.size ? { byNames } : { byNames, byAll: sum(() => true) };
}

/** Puts tests that every case of an expression implies before the expression; without them the other one holds. */
function guard(
  cases: readonly ScoreCase[],
  expression: string,
  otherwise: string,
  parameters: StatementParameters,
): string {
  const tests = [...testStarts(cases, parameters), ...testNames(cases, parameters)];
  return tests.length === 0
    ? expression
    : `case when ${tests.join(' and ')} then ${expression} else ${otherwise} end`;
}

/** Most starts that are tested. */
const MAX_STARTS = 8;

/** Builds the test that some case may have its letters; most matches of a frequent word fail it. */
function testStarts(cases: readonly ScoreCase[], parameters: StatementParameters): readonly string[] {
  const required = cases.map(requiredStarts);
  const starts = new Set(required.flatMap((each) => each ?? []));
  if (required.includes(undefined) || starts.size === 0 || starts.size > MAX_STARTS) return [];
  const alternatives = [...starts].map((bits) => {
    const asked = `${parameters.add(String(bits))}::bigint`;
    return `name_starts & ${asked} = ${asked}`;
  });
  return [`(${alternatives.join(' or ')})`];
}

/** Builds one test for several cases. Each test of the names copies them first. */
function testNames(cases: readonly ScoreCase[], parameters: StatementParameters): readonly string[] {
  if (cases.length < 2) return [];
  const alternatives = cases.filter((each) => !cases.some((other) => implies(each, other))).map(toText);
  return [`names @@ ${parameters.add(alternatives.join(' | '))}::tsquery`];
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
