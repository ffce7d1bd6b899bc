import type { ScoreCase, ScoreTerm } from '@stratalog/domain';
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
  /** A test of the names: for documents that pass it, `byNames` is the score. Absent: no test says so. */
  readonly namesDecide?: string;
}

/** Builds the expressions of a ranking: `fixed parts + weight * (1 + other parts)`. */
export function buildScore(ranking: readonly ScoreTerm[], parameters: StatementParameters): ScoreExpressions {
  const tests = new CaseTests(parameters);
  const sum = (isUsed: (each: ScoreCase) => boolean): string => {
    const terms = (areFixed: boolean): readonly string[] =>
      ranking
        .filter(({ isFixed = false }) => isFixed === areFixed)
        .map((term) => ({ ...term, cases: term.cases.filter(isUsed) }))
        .filter(({ cases, otherwise = 0 }) => cases.length > 0 || otherwise > 0)
        .map((term) => buildTerm(term, tests));
    return [...terms(true), `weight * (${['1::real', ...terms(false)].join(' + ')})`].join(' + ');
  };
  const all = ranking.flatMap(({ cases }) => cases);
  const inNames = all.filter(isInNames);
  const byNames = guard(
    inNames,
    sum(isInNames),
    sum(() => false),
    parameters,
  );
  if (inNames.length === all.length) return { byNames };
  return { byNames, byAll: sum(() => true), ...testDecision(ranking, parameters) };
}

/** Builds the test of whether the names of a document earn each word at least the boost that other fields could. */
function testDecision(
  ranking: readonly ScoreTerm[],
  parameters: StatementParameters,
): Pick<ScoreExpressions, 'namesDecide'> {
  const words = ranking.map(({ cases }) => cases).filter((cases) => !cases.every(isInNames));
  const tests = words.map((cases) => {
    const elsewhere = Math.max(...cases.filter((each) => !isInNames(each)).map(({ boost }) => boost));
    return cases.filter((each) => isInNames(each) && each.boost >= elsewhere).map(toText);
  });
  if (tests.some(({ length }) => length === 0)) return {};
  const asked = tests.map((alternatives) => `(${alternatives.join(' | ')})`).join(' & ');
  return { namesDecide: `names @@ ${parameters.add(asked)}::tsquery` };
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

/** Tests with the same boost, all of the column of names or all of the tokens. */
interface Choice {
  readonly boost: number;
  readonly cases: readonly ScoreCase[];
}

/** Builds the highest boost of the cases that a document meets. */
function buildTerm({ cases, otherwise = 0 }: ScoreTerm, tests: CaseTests): string {
  const least = `${String(otherwise)}::real`;
  if (cases.length === 0) return least;
  const branches = listChoices(cases).map(
    (run) => `when ${tests.meetsAny(run)} then ${chooseBoost(run, tests)}`,
  );
  return `case ${branches.join(' ')} else ${least} end`;
}

/**
 * Builds the highest boost of choices that a document meets at least one of. It asks for half of the choices at a time: a test of many
 * cases takes hardly longer than a test of one.
 */
function chooseBoost(choices: readonly Choice[], tests: CaseTests): string {
  const [first] = choices;
  if (choices.length < 2) return `${String(first?.boost ?? 0)}::real`;
  const half = Math.ceil(choices.length / 2);
  const [upper, lower] = [choices.slice(0, half), choices.slice(half)];
  return `case when ${tests.meetsAny(upper)} then ${chooseBoost(upper, tests)} else ${chooseBoost(lower, tests)} end`;
}

/** Lists the choices of a term by boost, the highest first, in runs that one column answers. */
function listChoices(cases: readonly ScoreCase[]): readonly (readonly Choice[])[] {
  const runs: Choice[][] = [];
  for (const each of [...cases].sort((one, other) => other.boost - one.boost)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || last.cases.some(isInNames) !== isInNames(each)) {
      runs.push([{ boost: each.boost, cases: [each] }]);
    } else if (last.boost === each.boost) {
      run[run.length - 1] = { ...last, cases: [...last.cases, each] };
    } else {
      run.push({ boost: each.boost, cases: [each] });
    }
  }
  return runs;
}

/** The tests of cases, whose parameters the expressions of a statement share. */
class CaseTests {
  private readonly placeholders = new Map<string, string>();

  constructor(private readonly parameters: StatementParameters) {}

  /** Builds the test whether a document meets any case of the choices, which one column answers. */
  meetsAny(choices: readonly Choice[]): string {
    const cases = choices.flatMap((choice) => choice.cases);
    const column = cases.every(isInNames) ? 'names' : 'tokens';
    const asked = cases.map(toText).join(' | ');
    const placeholder = this.placeholders.get(asked) ?? this.parameters.add(asked);
    this.placeholders.set(asked, placeholder);
    return `${column} @@ ${placeholder}::tsquery`;
  }
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
