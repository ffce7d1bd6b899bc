const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Consecutive members or elements in a JSON text, up to a comma or the end of their container. */
export interface Run {
  /** Index of the comma or closing bracket after the last member. */
  readonly end: number;
  /** True when the container ends after this run. */
  readonly isLast: boolean;
  /** Upper bound of the number of values in the run, nested ones included. */
  readonly values: number;
}

/**
 * Finds the longest run from `from` with at most `maxLength` characters; `undefined` when the first member alone is
 * longer.
 * Accepts any text: the parser reads the run next and rejects invalid JSON.
 */
export function endOfRun(text: string, from: number, maxLength: number): Run | undefined {
  const limit = Math.min(text.length, from + maxLength);
  let longest: Run | undefined;
  let depth = 0;
  let values = 1;
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at, limit);
    } else if (code === COMMA) {
      if (depth === 0) longest = { end: at, isLast: false, values };
      values++;
    } else if (code === 0x7b || code === 0x5b) {
      depth++;
      values++;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth-- === 0) return { end: at, isLast: true, values };
    }
  }
  return longest;
}

function endOfString(text: string, from: number, limit: number): number {
  for (let at = from + 1; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return limit;
}

const SIGN = /[^ \t\r\n]/g;

/** Index of the next character that is not white space, or the length of the text when there is none. */
export function nextSignAt(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? text.length;
}
