import { parseUrn } from '@stratalog/domain';
import { rejectIn, type Criteria, type Criterion, type Reject } from '../filters/read-criteria';

/**
 * Reads the filter of an end of edges: the urns that pass it; `undefined` when all do.
 *
 * **Errors**: those of `reject` for another field than `urn`, for other comparisons than with values, and for values that are no urns.
 */
export function toEndUrns(lists: Criteria = [], reject: Reject): readonly string[] | undefined {
  if (lists.length === 0 || lists.some((list) => list.length === 0)) return undefined;
  const alternatives = lists.map((list) =>
    list
      .map((criterion) => toUrns(criterion, rejectIn(criterion, reject)))
      .reduce((some, others) => some.filter((urn) => others.includes(urn))),
  );
  return [...new Set(alternatives.flat())];
}

function toUrns({ field, condition, negated, wanted }: Criterion, reject: Reject): readonly string[] {
  if (field !== 'urn') return reject('field', 'must be urn: nothing else of an end can be compared');
  if (condition !== 'EQUAL' && condition !== 'IN')
    return reject('condition', `is ${condition}; a urn can be compared by EQUAL and IN`);
  if (negated) return reject('negated', 'must not be true');
  const urns = wanted?.texts ?? reject('values', 'is required');
  for (const urn of urns) {
    const parsed = parseUrn(urn);
    if ('fault' in parsed) reject('values', `"${urn.slice(0, 100)}" is no urn: ${parsed.fault}`);
  }
  return urns;
}
