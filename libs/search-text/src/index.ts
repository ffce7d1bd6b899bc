export { ANALYSIS_VERSION } from './analysis-version';
export { analyzeField } from './analyze-field';
export { boundTokens } from './bound-tokens';
export {
  ANY_FILTER_TOKEN,
  filterKeyOf,
  filterKeysOf,
  filterTokenOf,
  MAX_ASKED_KEY_LENGTH,
} from './filter-keys';
export { matchedFields } from './matched-fields';
export { matches } from './matches';
export { compareKeys, matchesFilter } from './matches-filter';
export { parseQuery } from './parse-query';
export { MAX_TOKEN_LENGTH } from './token';
