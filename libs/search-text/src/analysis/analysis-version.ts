/**
 * Names the rules by which text becomes tokens, and values what filters compare. It is part of an index's identity: an index made under another version
 * must be rebuilt. Change it whenever any token, place or key would change; `analysis-version.spec.ts` fails when that is forgotten.
 */
export const ANALYSIS_VERSION = '2';
