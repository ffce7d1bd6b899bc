import { MAX_JSON_DEPTH } from '@stratalog/json';

/**
 * Splits a JSON pointer into steps and decodes `~1` and `~0`.
 *
 * **Errors**: `SyntaxError` for a malformed pointer, one deeper than any value, and one with `__proto__`.
 *
 * **Source**: RFC 6901.
 */
export function parsePointer(text: string): readonly string[] {
  if (text === '') return [];
  if (!text.startsWith('/'))
    throw new SyntaxError(`has the path "${text.slice(0, 100)}", which does not begin with /`);
  if (/~([^01]|$)/.test(text))
    throw new SyntaxError(`has the path "${text.slice(0, 100)}", in which ~ is not ~0 or ~1`);
  const steps = text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (steps.includes('__proto__')) throw new SyntaxError('has a path with __proto__');
  if (steps.length > MAX_JSON_DEPTH) throw new SyntaxError(`has a path of more than ${MAX_JSON_DEPTH} steps`);
  return steps;
}
