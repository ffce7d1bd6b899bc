const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** Members or elements that stand side by side in a JSON text, from where it was looked to a comma or the end of what they are in. */
export interface Run {
  /** The place of the comma or closing sign behind the last of them. */
  readonly end: number;
  /** True: there are no more behind it. */
  readonly isLast: boolean;
  /** How many values it has, those inside others included; one more at most. */
  readonly values: number;
}

/**
 * The longest run from `from` on that has at most `maxLength` characters; `undefined` when the first member alone is longer. Takes any
 * text: what is no JSON the parser rejects, which reads the run next.
 */
export function endOfRun(text: string, from: number, maxLength: number): Run | undefined {
  const limit = Math.min(text.length, from + maxLength);
  let found: Run | undefined;
  let depth = 0;
  let values = 1;
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at, limit);
    } else if (code === COMMA) {
      if (depth === 0) found = { end: at, isLast: false, values };
      values++;
    } else if (code === 0x7b || code === 0x5b) {
      depth++;
      values++;
    } else if (code === 0x7d || code === 0x5d) {
      if (depth-- === 0) return { end: at, isLast: true, values };
    }
  }
  return found;
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

/** The place of the next character that is no blank; the end of the text when there is none. */
export function nextSignAt(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? text.length;
}
