import type { QueryNode } from '@stratalog/model';
import { completionsIn } from '@stratalog/search-text';
import { completionToken } from '../documents/token-scope';
import { anyOf, termsQuery, type EngineQuery } from './build-query';

/** Fields of the stored document, and the score of a match in each. */
const WEIGHTS = { tier1: 1, tier2: 0.6, tier3: 0.3 } as const;
/** Score of every match, in any field. */
const BASE = 0.1;

/**
 * Maximum number of ranked words. More do not separate good matches from better ones, and an engine allows 1,024
 * clauses in all.
 */
const MAX_RANKED_WORDS = 32;

type RankedLeaf = Extract<QueryNode, { kind: 'word' | 'phrase' }>;

/**
 * Builds the clauses that score the matches of a query: each word without a field adds a fixed weight for the best
 * field that contains it.
 *
 * Fixed weights make scores equal over indices of several entity types and on every replica, so that ties stay ties and
 * pages keep their order.
 */
export function buildRanking(query: QueryNode): readonly EngineQuery[] {
  let wordsLeft = MAX_RANKED_WORDS;
  const leaves = rankedLeaves(query).filter((leaf) => {
    wordsLeft -= leaf.kind === 'word' ? 1 : leaf.tokens.length;
    return wordsLeft >= 0;
  });
  const base: EngineQuery = { constant_score: { filter: { match_all: {} }, boost: BASE } };
  return [base, ...leaves.map(buildScore)];
}

/** Score of a match by the start of a value for autocompletion, above every score of words; that of an equal value is twice it. */
const COMPLETION_SCORE = 100;

/** Builds the clauses that score completions, which no weight of a document changes. */
export function buildCompletionRanking(query: QueryNode): readonly EngineQuery[] {
  const tokens = completionsIn(query).map(({ field, start }) => completionToken(field, start));
  if (tokens.length === 0) return [];
  const begins = tokens.map((value): EngineQuery => ({ prefix: { tokens: { value } } }));
  return [anyOf(begins), termsQuery(tokens)].map((filter) => ({
    constant_score: { filter, boost: COMPLETION_SCORE },
  }));
}

function rankedLeaves(query: QueryNode): readonly RankedLeaf[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.nodes.flatMap(rankedLeaves);
    case 'word':
    case 'phrase':
      return query.field === undefined ? [query] : [];
    default:
      return [];
  }
}

function buildScore(leaf: RankedLeaf): EngineQuery {
  const queries = Object.entries(WEIGHTS).map(([field, boost]): EngineQuery => ({
    constant_score: { filter: inField(leaf, field), boost },
  }));
  return { dis_max: { queries } };
}

/** The words of a phrase score where all of them occur, in any order; the filter has already verified the phrase. */
function inField(leaf: RankedLeaf, field: string): EngineQuery {
  if (leaf.kind === 'word') return { terms: { [field]: [...leaf.anyOf] } };
  const last = leaf.tokens.length - 1;
  const filter = leaf.tokens.map((token, at): EngineQuery =>
    leaf.prefix && at === last
      ? { prefix: { [field]: { value: token } } }
      : { term: { [field]: { value: token } } },
  );
  return filter.length === 1 && filter[0] !== undefined ? filter[0] : { bool: { filter } };
}
