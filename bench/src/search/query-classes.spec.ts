import { describe, expect, it } from '@jest/globals';
import { queryClasses, type CountedQuery } from './query-classes';

function counted(kind: CountedQuery['kind'], total: number, count = 1): CountedQuery[] {
  return Array.from({ length: count }, (_, at) => ({
    kind,
    total,
    input: `${kind} ${String(total)} ${String(at)}`,
  }));
}

describe('queryClasses', () => {
  it('sorts queries by their number of matches, bounds included', () => {
    const queries = [0, 1, 2, 10, 11, 100, 101, 1_000, 1_001, 9_999, 10_000, 70_000, 70_001].flatMap(
      (total) => counted('word', total),
    );
    const { none, narrow, broad } = queryClasses(queries, 100_000, { limit: 10, broadLimit: 10 });
    const totals = [none, ...narrow, broad].map(({ queries: own }) => own.map(({ total }) => total));
    expect(totals).toEqual([[0], [1], [2, 10], [11, 100], [101, 1_000], [10_000, 70_000]]);
  });

  it('takes the kinds in turn, so that the most frequent one does not fill a class', () => {
    const queries = [...counted('word', 1, 50), ...counted('phrase', 1, 2), ...counted('name', 1, 50)];
    const [one] = queryClasses(queries, 100_000, { limit: 8, broadLimit: 8 }).narrow;
    const kinds = one?.queries.map(({ kind }) => kind) ?? [];
    expect(kinds.filter((kind) => kind === 'phrase')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'word')).toHaveLength(3);
    expect(kinds).toHaveLength(8);
  });
});
