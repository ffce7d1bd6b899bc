export { ANALYSIS_VERSION } from './analysis-version';
export { analyzeField, MAX_TOKENS_PER_FIELD, POSITION_GAP } from './analyze-field';
export {
  boundTokens,
  MAX_EXACT_TOKENS_PER_DOCUMENT,
  MAX_PLACES_PER_DOCUMENT,
  MAX_PLACES_PER_TOKEN,
  MAX_TOKEN_CHARACTERS_PER_DOCUMENT,
  MAX_TOKENS_PER_DOCUMENT,
} from './bound-tokens';
export {
  ANY_FILTER_TOKEN,
  filterKeyOf,
  filterKeysOf,
  filterTokenOf,
  MAX_ASKED_KEY_LENGTH,
  MAX_FILTER_VALUES_PER_DOCUMENT,
  MAX_KEY_CHARACTERS_PER_DOCUMENT,
  MAX_KEY_LENGTH,
} from './filter-keys';
export { matchedFields } from './matched-fields';
export { matches } from './matches';
export { compareKeys, matchesFilter } from './matches-filter';
export { MAX_QUERY_WORDS, parseQuery } from './parse-query';
export { MAX_TOKEN_LENGTH } from './token';
