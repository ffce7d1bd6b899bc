import { MAX_SCHEMA_FIELD_URN_BYTES } from './urn';

/** Length of the longest urn with each character escaped. */
const MAX_LENGTH = 2 * MAX_SCHEMA_FIELD_URN_BYTES;

/**
 * Says why a pattern of urns cannot be used; `undefined` when it can. `%` matches any text, `_` one character, and a
 * backslash escapes either.
 */
export function urnPatternFault(pattern: string): string | undefined {
  if (pattern.length > MAX_LENGTH) {
    return `is longer than ${String(MAX_LENGTH)} characters, and so than any urn`;
  }
  const backslashes = /\\*$/.exec(pattern)?.[0].length ?? 0;
  const isUnusable = backslashes % 2 === 1 || pattern.includes('\u0000');
  return isUnusable ? 'ends with a backslash, or holds a NUL' : undefined;
}
