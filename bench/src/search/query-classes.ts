import type { CandidateQuery, QueryKind } from './query-candidates';

/** A query and the number of datasets that it matches. */
export interface CountedQuery extends CandidateQuery {
  readonly total: number;
}

export interface QueryClass {
  readonly name: string;
  readonly queries: readonly CountedQuery[];
}

/**
 * Bounds of the classes by number of matches, both included. No goal covers the range between 1,000 and 10%.
 */
const NARROW = [
  { name: '1 match', from: 1, to: 1 },
  { name: '2-10 matches', from: 2, to: 10 },
  { name: '11-100 matches', from: 11, to: 100 },
  { name: '101-1,000 matches', from: 101, to: 1_000 },
] as const;
const BROAD = { name: 'broad (10-70%)', fromShare: 0.1, toShare: 0.7 } as const;

export interface QueryClasses {
  readonly none: QueryClass;
  /** From one match to 1,000, the mix of the goal: as many queries of each. */
  readonly narrow: readonly QueryClass[];
  readonly broad: QueryClass;
}

/**
 * Sorts queries by the number of datasets that they match: at most `limit` a class, and each kind up to its
 * share.
 */
export function queryClasses(
  queries: readonly CountedQuery[],
  datasetCount: number,
  { limit, broadLimit }: { readonly limit: number; readonly broadLimit: number },
): QueryClasses {
  const within = (from: number, to: number, most: number): readonly CountedQuery[] =>
    balanced(
      queries.filter(({ total }) => total >= from && total <= to),
      most,
    );
  return {
    none: { name: 'no match', queries: within(0, 0, limit) },
    narrow: NARROW.map(({ name, from, to }) => ({ name, queries: within(from, to, limit) })),
    broad: {
      name: BROAD.name,
      queries: within(
        Math.max(1_001, BROAD.fromShare * datasetCount),
        BROAD.toShare * datasetCount,
        broadLimit,
      ),
    },
  };
}

/** Takes one query of each kind in turn, until there are enough or none are left. */
function balanced(queries: readonly CountedQuery[], limit: number): readonly CountedQuery[] {
  const byKind = new Map<QueryKind, CountedQuery[]>();
  for (const query of queries) byKind.set(query.kind, [...(byKind.get(query.kind) ?? []), query]);
  const chosen: CountedQuery[] = [];
  for (let turn = 0; chosen.length < limit; turn++) {
    const left = [...byKind.values()].flatMap((own) => own.slice(turn, turn + 1));
    if (left.length === 0) break;
    chosen.push(...left.slice(0, limit - chosen.length));
  }
  return chosen;
}
