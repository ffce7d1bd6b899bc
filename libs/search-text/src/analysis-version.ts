/**
 * Names the rules by which text becomes tokens. It is part of an index's identity: an index made under another version
 * must be rebuilt. Change it whenever any token or place would change; `analysis-version.spec.ts` fails when that is forgotten.
 */
export const ANALYSIS_VERSION = '1';
