/**
 * Version of the rules for tokens and filter keys. It is part of an index's identity: an index of another version
 * must be rebuilt. Change it whenever any token, position or key would change; `analysis-version.spec.ts` fails when
 * that is forgotten.
 */
export const ANALYSIS_VERSION = '6';
