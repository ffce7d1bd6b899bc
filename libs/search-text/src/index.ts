export { ANALYSIS_VERSION } from './analysis/analysis-version';
export { analyzeField } from './analysis/analyze-field';
export { bestCompletion } from './matching/best-completion';
export { completionsIn } from './analysis/completions';
export { boundTokens } from './analysis/bound-tokens';
export {
  ANY_FILTER_TOKEN,
  toFilterKey,
  toFilterKeys,
  toFilterToken,
  MAX_ASKED_KEY_LENGTH,
} from './matching/filter-keys';
export { matchedFields } from './matching/matched-fields';
export { matches } from './matching/matches';
export { compareKeys, matchesFilter } from './matching/matches-filter';
export { parseCompletion } from './query/parse-completion';
export { parseQuery } from './query/parse-query';
export { MAX_TOKEN_LENGTH } from './analysis/token';
