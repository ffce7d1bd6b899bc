import type { ScoreCase, ScoreTerm } from '@stratalog/domain';
import { completionToken } from '../documents/token-scope';
import type { EngineQuery } from './build-query';

/** Score of every match before its boosts. */
const BASE: EngineQuery = { constant_score: { filter: { match_all: {} }, boost: 1 } };

/**
 * Builds the clauses that compute the score of matches: fixed boosts, and the document's weight times 1 and the others.
 *
 * Constant boosts make scores equal over entity types and on every replica, so that ties stay ties and pages keep their
 * order.
 */
export function buildRanking(ranking: readonly ScoreTerm[]): readonly EngineQuery[] {
  const clauses = (areFixed: boolean): readonly EngineQuery[] =>
    ranking.filter(({ isFixed = false }) => isFixed === areFixed).map(buildTerm);
  return [
    ...clauses(true),
    {
      function_score: {
        query: { bool: { should: [BASE, ...clauses(false)] } },
        functions: [{ field_value_factor: { field: 'weight', missing: 1 } }],
        boost_mode: 'multiply',
      },
    },
  ];
}

function buildTerm({ cases, otherwise = 0 }: ScoreTerm): EngineQuery {
  const tests = cases.map((each) => ({ filter: buildTest(each), boost: each.boost }));
  const least = otherwise === 0 ? [] : [{ filter: { match_all: {} }, boost: otherwise }];
  return { dis_max: { queries: [...tests, ...least].map((each) => ({ constant_score: each })) } };
}

function buildTest(test: ScoreCase): EngineQuery {
  if (test.kind === 'completion') {
    const value = completionToken(test.field, test.start);
    return test.isWhole ? { term: { tokens: { value } } } : { prefix: { tokens: { value } } };
  }
  const field = test.tier === 'any' ? 'tokens' : `tier${String(test.tier)}`;
  return test.kind === 'word'
    ? { terms: { [field]: [...test.anyOf] } }
    : { prefix: { [field]: { value: test.start } } };
}
