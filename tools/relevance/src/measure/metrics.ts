/** Hits that count. */
const DEPTH = 10;
/** Lowest grade of a good answer. */
const GOOD = 2;

/**
 * Computes the reciprocal rank of the first good answer (grade 2 or 3) among the first ten hits: 1 when it comes first,
 * 0 without any.
 *
 * **Shape**: `grades` are those of the hits, in order.
 */
export function reciprocalRank(grades: readonly number[]): number {
  const at = grades.slice(0, DEPTH).findIndex((grade) => grade >= GOOD);
  return at < 0 ? 0 : 1 / (at + 1);
}

/**
 * Computes nDCG@10: the discounted gains of the hits relative to those of the best possible order. A grade g gains
 * 2^g - 1, divided by the binary logarithm of the rank plus 1.
 *
 * **Shape**: `grades` are those of the hits, in order; `possible` those of all entities that the query asks for, in any
 * order. 0 when there are none.
 */
export function ndcg(grades: readonly number[], possible: readonly number[]): number {
  const best = discountedGain([...possible].sort((left, right) => right - left));
  return best === 0 ? 0 : discountedGain(grades) / best;
}

function discountedGain(grades: readonly number[]): number {
  return grades.slice(0, DEPTH).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
