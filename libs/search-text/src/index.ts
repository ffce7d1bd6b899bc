export { ANALYSIS_VERSION } from './analysis/analysis-version';
export { analyzeField } from './analysis/analyze-field';
export { CompletionMatcher } from './matching/completion-matcher';
export { boundTokens } from './analysis/bound-tokens';
export {
  ANY_FILTER_TOKEN,
  toFilterKey,
  toFilterKeys,
  toFilterToken,
  MAX_ASKED_KEY_LENGTH,
} from './analysis/filter-keys';
export { markWords } from './matching/mark-words';
export { FieldMatcher, type MatchedField } from './matching/matched-fields';
export { matches } from './matching/matches';
export { compareKeys, matchesFilter } from './matching/matches-filter';
export { explainMismatch, explainScore, type ExplainedTerm } from './ranking/explain-match';
export { analyzeNames, writtenNames } from './ranking/names';
export { rankQuery, rankStart } from './ranking/rank-query';
export { scoreMatch } from './ranking/score-match';
export { toTier } from './ranking/score-tier';
export { relaxQuery, type Relaxation } from './relaxing/relax-query';
export { suggestSpelling } from './relaxing/suggest-spelling';
export { Vocabulary, collectVocabulary } from './relaxing/vocabulary';
export { NO_SYNONYMS, Synonyms } from './synonyms/synonyms';
export { USUAL_SYNONYMS } from './synonyms/usual-synonyms';
export { parseCompletion, parseStart } from './query/parse-completion';
export { narrowed, parseInput } from './query/parse-input';
export { isAffordable, limitFacetFilters, rejectCostly, rejectManyValues } from './query/search-cost';
export { listLeaves } from './query/query-nodes';
export { parseQuery } from './query/parse-query';
export { isPhraseWord, isStemToken, MAX_TOKEN_LENGTH } from './analysis/token';
