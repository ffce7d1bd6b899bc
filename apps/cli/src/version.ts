/** Equals the version in package.json, which a spec checks. */
export const VERSION = '0.1.0';
