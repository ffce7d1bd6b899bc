export {
  RawJson,
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutput,
  type JsonOutputObject,
  type JsonValue,
} from './json';
export { largePartsIn } from './large-parts-in';
export {
  MAX_OBJECT_MEMBERS,
  parseInSteps,
  MAX_JSON_VALUES,
  parseUntrustedInSteps,
  type ParsedJson,
} from './parse-in-steps';
export { MAX_JSON_DEPTH, parseUntrustedJson } from './parse-untrusted-json';
export { allSteps, forEachInSteps, type Steps } from './steps';
export { A_TIME, toTime } from './to-time';
export { valueAt } from './value-at';
export { withoutNul } from './without-nul';
export { bytesOfJson, textOfBytes } from './text-of-bytes';
