import type { ScoreCase, ScoreTerm, SearchDocument } from '@stratalog/domain';
import { toTier } from './score-tier';

/**
 * Computes the score of a match. It defines the meaning of rankings; contract tests compare engines with it.
 */
export function scoreMatch(
  ranking: readonly ScoreTerm[],
  document: Pick<SearchDocument, 'text' | 'weight'>,
): number {
  let fixed = 0;
  let sum = 1;
  for (const { cases, isFixed = false, otherwise = 0 } of ranking) {
    const boost = Math.max(
      otherwise,
      ...cases.filter((each) => isMet(each, document)).map((each) => each.boost),
    );
    if (isFixed) fixed += boost;
    else sum += boost;
  }
  return fixed + document.weight * sum;
}

/** True when a document passes a test of a ranking. */
export function isMet(test: ScoreCase, { text }: Pick<SearchDocument, 'text'>): boolean {
  if (test.kind === 'completion') {
    const isEqual = (value: string): boolean =>
      test.isWhole ? value === test.start : value.startsWith(test.start);
    return text.some(({ field, completions }) => field === test.field && completions.some(isEqual));
  }
  const isIn = (token: string): boolean =>
    test.kind === 'word' ? test.anyOf.includes(token) : token.startsWith(test.start);
  return text
    .filter(
      ({ queryByDefault, boost }) => queryByDefault && (test.tier === 'any' || toTier(boost) === test.tier),
    )
    .some(({ tokens }) => tokens.some(({ token }) => isIn(token)));
}
