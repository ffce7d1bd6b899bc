import { QUERY_KINDS, type JudgedQuery, type QueryKind } from '../queries/read-queries';
import type { Grade } from '../queries/judge';
import { mean, ndcg, reciprocalRank } from './metrics';

/** The hits of one query, with its judgements. */
export interface AnsweredQuery {
  readonly query: JudgedQuery;
  /** Urns of the hits, in order. */
  readonly hits: readonly string[];
  /** Grades of all entities that the query asks for, by urn. */
  readonly grades: ReadonlyMap<string, Grade>;
}

/** One query, measured. */
export interface QueryFigures {
  readonly kind: QueryKind;
  readonly ask: string;
  readonly in: string;
  readonly mrr: number;
  readonly ndcg: number;
  /** Rank of the first hit with the query's best grade, from 1; absent: not among the hits. */
  readonly bestRank?: number;
  /** The first hit; absent: no hit. */
  readonly first?: string;
}

/** One query, with its first hits for a closer look. */
export interface QueryReport extends QueryFigures {
  /** The first ten. */
  readonly hits: readonly { readonly urn: string; readonly grade: Grade }[];
  /** Number of entities that the query asks for, by grade from 1 to 3. */
  readonly asked: readonly number[];
}

/** Mean reciprocal rank and mean nDCG@10. */
export interface Figures {
  readonly mrr: number;
  readonly ndcg: number;
}

export interface Summary {
  readonly all: Figures;
  readonly kinds: Readonly<Record<QueryKind, Figures>>;
  /** The queries with the lowest nDCG, the worst first. */
  readonly worst: readonly QueryFigures[];
}

const WORST = 10;
const REPORTED_HITS = 10;
const GRADES: readonly Grade[] = [1, 2, 3];

export function measureQuery({ query, hits, grades }: AnsweredQuery): QueryReport {
  const found = hits.map((urn) => grades.get(urn) ?? 0);
  const possible = [...grades.values()];
  const best = Math.max(0, ...new Set(possible));
  const bestAt = best === 0 ? -1 : found.indexOf(best as Grade);
  return {
    kind: query.kind,
    ask: query.ask,
    in: query.in,
    mrr: reciprocalRank(found),
    ndcg: ndcg(found, possible),
    ...(bestAt < 0 ? {} : { bestRank: bestAt + 1 }),
    ...(hits[0] === undefined ? {} : { first: hits[0] }),
    asked: GRADES.map((grade) => possible.filter((each) => each === grade).length),
    hits: hits.slice(0, REPORTED_HITS).map((urn) => ({ urn, grade: grades.get(urn) ?? 0 })),
  };
}

/** Summarizes queries by kind and as a whole; each query has the same weight. */
export function summarize(queries: readonly QueryFigures[]): Summary {
  const kinds = QUERY_KINDS.map((kind) => [kind, toFigures(queries.filter((each) => each.kind === kind))]);
  return {
    all: toFigures(queries),
    kinds: Object.fromEntries(kinds) as Record<QueryKind, Figures>,
    worst: [...queries]
      .sort((left, right) => left.ndcg - right.ndcg)
      .slice(0, WORST)
      .map(({ kind, ask, in: type, mrr, ndcg, bestRank, first }) => ({
        ...{ kind, ask, in: type, mrr, ndcg },
        ...(bestRank === undefined ? {} : { bestRank }),
        ...(first === undefined ? {} : { first }),
      })),
  };
}

function toFigures(queries: readonly QueryFigures[]): Figures {
  return { mrr: mean(queries.map(({ mrr }) => mrr)), ndcg: mean(queries.map((each) => each.ndcg)) };
}
