import type { TimeseriesStatisticsQuery } from '@stratalog/ports';

export type GroupKey = number | string;

/** A group before it is formatted: numbers sort as numbers. */
export interface ComputedGroup {
  readonly keys: readonly GroupKey[];
  readonly values: readonly (string | undefined)[];
}

/** Orders groups as the query says, and keeps the first ones of each parent where it asks for these. */
export function orderGroups(
  { groups, top }: TimeseriesStatisticsQuery,
  computed: readonly ComputedGroup[],
): readonly ComputedGroup[] {
  const signs = groups.map(({ isDescending }) => (isDescending === true ? -1 : 1));
  const compareParents = (a: ComputedGroup, b: ComputedGroup): number =>
    compareUntil(a, b, signs.slice(0, top === undefined ? signs.length : -1));
  if (top === undefined) return computed.toSorted(compareParents);
  const sign = top.isDescending ? -1 : 1;
  const last = groups.length - 1;
  const sorted = computed.toSorted((a, b) => {
    const keys = compareKeys(a.keys[last], b.keys[last]);
    return compareParents(a, b) || (top.byMetric ? compareMetrics(a, b, sign) || keys : sign * keys);
  });
  return keepFirst(sorted, top.size, compareParents);
}

function keepFirst(
  sorted: readonly ComputedGroup[],
  size: number,
  compareParents: (a: ComputedGroup, b: ComputedGroup) => number,
): readonly ComputedGroup[] {
  let rank = 0;
  return sorted.filter((group, at) => {
    const before = sorted[at - 1];
    rank = before !== undefined && compareParents(before, group) === 0 ? rank + 1 : 1;
    return rank <= size;
  });
}

function compareUntil(a: ComputedGroup, b: ComputedGroup, signs: readonly number[]): number {
  for (const [at, sign] of signs.entries()) {
    const compared = compareKeys(a.keys[at], b.keys[at]);
    if (compared !== 0) return sign * compared;
  }
  return 0;
}

/** Groups without the metric come last. */
function compareMetrics(a: ComputedGroup, b: ComputedGroup, sign: number): number {
  const [one, other] = [a.values[0], b.values[0]];
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  return sign * (Number(one) - Number(other));
}

/** Texts compare by code point, as their UTF-8 does. */
function compareKeys(a: GroupKey = '', b: GroupKey = ''): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
