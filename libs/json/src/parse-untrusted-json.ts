import { doubledMemberIn, membersIn } from './doubled-member';
import { parseJson, type JsonValue } from './json';

/** Deepest nesting. No aspect of the model comes near it, and recursive code stays far from the end of its stack. */
export const MAX_JSON_DEPTH = 200;

/** Longest run of digits. A double has at most 309 digits before the point; longer ones only cost time. */
const MAX_NUMBER_LENGTH = 400;

/** `"__proto__":` with any of its letters written as an escape. */
const PROTO_MEMBER =
  /"(?:_|\\u005f){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006f)(?:t|\\u0074)(?:o|\\u006f)(?:_|\\u005f){2}"\s*:/i;

/**
 * Parses JSON text that a client wrote: a body, or a value that a body carries as text.
 *
 * **Errors**: `SyntaxError` when the text is not JSON, nests deeper than {@link MAX_JSON_DEPTH}, or has a number of
 * over 400 digits. Also for two equal members of one object, one of which a parser would drop, and for a member
 * `__proto__`, which would change the objects it is copied to.
 */
export function parseUntrustedJson(text: string, maxDepth = MAX_JSON_DEPTH): JsonValue {
  const written = rejectHostileShape(text, maxDepth);
  if ((text.includes('proto') || text.includes('\\u00')) && PROTO_MEMBER.test(text)) {
    throw new SyntaxError("a member named '__proto__' is not allowed");
  }
  const value = parseJson(text);
  if (membersIn(value) !== written) {
    const name = doubledMemberIn(text)?.slice(0, MAX_SHOWN_LENGTH) ?? '';
    throw new SyntaxError(`the member '${name}' is there twice`);
  }
  return value;
}

const MAX_SHOWN_LENGTH = 100;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Checks depth and length of numbers before the parser runs, because the parser would exhaust its stack first.
 * Returns the number of members.
 */
function rejectHostileShape(text: string, maxDepth: number): number {
  let depth = 0;
  let members = 0;
  let numberLength = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) quoted = false;
      continue;
    }
    if (code >= 0x30 && code <= 0x39) {
      if (++numberLength > MAX_NUMBER_LENGTH) throw new SyntaxError(`a number is too long at position ${at}`);
      continue;
    }
    numberLength = 0;
    if (code === QUOTE) quoted = true;
    else if (code === COLON) members++;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) throw new SyntaxError(`nested deeper than ${MAX_JSON_DEPTH} levels`);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return members;
}
