import { MAX_SCHEMA_FIELD_URN_BYTES } from '@stratalog/domain';

/** A word, phrase or whole value of a query, without its quotes, escapes and final asterisks. */
export interface ReadValue {
  readonly text: string;
  readonly quoted: boolean;
  /** True when the value ended with an asterisk. */
  readonly prefix: boolean;
  /** True when the value began with an asterisk, which stays in the text. */
  readonly infix?: boolean;
  /** Index at which reading continues. */
  readonly end: number;
}

/**
 * `word` ends at a blank, quote or parenthesis. A `whole` value keeps quotes and balanced parentheses. A `urn` also
 * keeps blanks within its parentheses, because names contain them.
 */
export type ValueShape = 'word' | 'whole' | 'urn';

/** What a backslash escapes: signs of this language and of the one that clients escape for, and blanks. */
const ESCAPABLE = /[\\"()[\]{}:*?+\-!&|<>=~^/\s]/;

/** True when the backslash at `at` escapes the next character; before any other character it stands for itself, as in `CORP\asmith`. */
function isEscape(text: string, at: number): boolean {
  return text[at] === '\\' && ESCAPABLE.test(text.charAt(at + 1));
}

/** Reads from an opening quote to the closing one, or to the end of the query. */
export function readQuoted(text: string, start: number): ReadValue {
  let value = '';
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    if (isEscape(text, at)) at++;
    value += text.charAt(at);
    at++;
  }
  const close = Math.min(at + 1, text.length);
  const stars = starsAt(text, close);
  return { text: value, quoted: true, prefix: stars > 0, end: close + stars };
}

/** Reads an unquoted value of at least one character. */
export function readUnquoted(text: string, start: number, shape: ValueShape): ReadValue {
  let value = '';
  let stars = 0;
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const character = text.charAt(at);
    if (isEscape(text, at)) {
      at++;
      value += text.charAt(at);
      stars = 0;
      continue;
    }
    if (shape === 'word' ? /[\s()"]/.test(character) : endsWhole(character, depth)) {
      if (shape !== 'urn' || depth === 0 || !closesSoon(text, at, depth)) break;
    }
    if (character === '(') depth++;
    else if (character === ')') depth--;
    stars = character === '*' ? stars + 1 : 0;
    value += character;
  }
  const infix = text[start] === '*';
  return { text: value.slice(0, value.length - stars), quoted: false, prefix: stars > 0, infix, end: at };
}

function endsWhole(character: string, depth: number): boolean {
  return character === ')' ? depth === 0 : /\s/.test(character);
}

/** True when the open parentheses close within the longest possible rest of a urn. */
function closesSoon(text: string, from: number, depth: number): boolean {
  let open = depth;
  const until = Math.min(text.length, from + MAX_SCHEMA_FIELD_URN_BYTES);
  for (let at = from; at < until; at++) {
    if (text[at] === '(') open++;
    else if (text[at] === ')') open--;
    if (open === 0) return true;
  }
  return false;
}

function starsAt(text: string, at: number): number {
  let stars = 0;
  while (text[at + stars] === '*') stars++;
  return stars;
}
