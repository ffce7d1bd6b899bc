import type { FieldTokens, FilterKeys, SearchCriterion, SearchFilter } from '@stratalog/domain';
import { matches } from './matches';

type KeyedCriterion = Exclude<SearchCriterion, { condition: 'query' }>;

/**
 * Evaluates a filter on the keys of one document, and on its tokens for criteria that are queries. It defines the meaning of
 * filters; contract tests compare engines with it.
 */
export function matchesFilter(
  filter: SearchFilter,
  fields: Readonly<Record<string, FilterKeys>>,
  text: readonly FieldTokens[] = [],
): boolean {
  return filter.some((criteria) =>
    criteria.every((criterion) => {
      if (criterion.condition === 'query') return matches(criterion.query, text) !== criterion.negated;
      const isMet = criterion.fields.some((name) => {
        const own = Object.hasOwn(fields, name) ? fields[name] : undefined;
        return own !== undefined && isMetBy(criterion, own);
      });
      return isMet !== criterion.negated;
    }),
  );
}

function isMetBy(criterion: KeyedCriterion, { tokens, keys }: FilterKeys): boolean {
  switch (criterion.condition) {
    case 'exists':
      return true;
    case 'equal':
      return tokens.some((token) => criterion.anyOf.includes(token));
    case 'equalKey':
      return keys.some((key) => criterion.anyOf.includes(key));
    case 'contain':
      return keys.some((key) => criterion.anyOf.some((part) => key.includes(part)));
    case 'startWith':
      return keys.some((key) => criterion.anyOf.some((part) => key.startsWith(part)));
    case 'endWith':
      return keys.some((key) => criterion.anyOf.some((part) => key.endsWith(part)));
    case 'range':
      return keys.some((key) => isWithin(criterion, key));
    default:
      return criterion satisfies never;
  }
}

function isWithin({ from, to }: Extract<SearchCriterion, { condition: 'range' }>, key: string): boolean {
  const overFrom = from === undefined ? 1 : compareKeys(key, from.key);
  const underTo = to === undefined ? 1 : compareKeys(to.key, key);
  return (
    (overFrom > 0 || (overFrom === 0 && from?.isIncluded === true)) &&
    (underTo > 0 || (underTo === 0 && to?.isIncluded === true))
  );
}

/**
 * Compares keys by their UTF-8 bytes, as every engine does; JavaScript's own order differs beyond the first 65,536
 * code points.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one === other) continue;
    if (one < FIRST_SURROGATE && other < FIRST_SURROGATE) return one < other ? -1 : 1;
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return Math.sign(a.length - b.length);
}

/** From here on, the order of UTF-16 is not that of UTF-8. */
const FIRST_SURROGATE = 0xd800;
