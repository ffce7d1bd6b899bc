import type { SourceFile } from './source-file';

/**
 * `name`: a bare word, keywords included. `quoted`: a name in back quotes, never a keyword. `string` and `number`: JSON
 * literals as written. `sign`: one of `{ } [ ] : = @ .`
 */
type TokenKind = 'name' | 'quoted' | 'string' | 'number' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
  /** The doc comment directly before the token. */
  readonly doc?: string;
}

const SIGNS = '{}[]:=@.';
const BLANK = /[\s,\ufeff]+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Splits PDL text into tokens; the last one is `end`. Commas are white space in PDL, so missing and trailing ones are
 * harmless.
 *
 * **Errors**: `InvalidModelError` at the first character that cannot start a token.
 */
export function toTokens(source: SourceFile): readonly Token[] {
  const { text } = source;
  const tokens: Token[] = [];
  let doc: string | undefined;
  let at = 0;
  while (at < text.length) {
    const blank = endOf(BLANK, text, at);
    if (blank > at) {
      at = blank;
    } else if (text.startsWith('//', at)) {
      const lineEnd = text.indexOf('\n', at);
      at = lineEnd < 0 ? text.length : lineEnd;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) throw source.error(at, 'the comment has no end');
      if (text[at + 2] === '*' && end > at + 2) doc = stripStars(text.slice(at + 3, end));
      at = end + 2;
    } else {
      const token = tokenAt(source, at);
      tokens.push(doc === undefined ? token : { ...token, doc });
      doc = undefined;
      at += token.text.length;
    }
  }
  tokens.push({ kind: 'end', text: '', at: text.length });
  return tokens;
}

function tokenAt(source: SourceFile, at: number): Token {
  const { text } = source;
  const first = text[at] ?? '';
  if (SIGNS.includes(first)) return { kind: 'sign', text: first, at };
  if (first === '"') return { kind: 'string', text: text.slice(at, stringEnd(source, at)), at };
  if (first === '`') return { kind: 'quoted', text: text.slice(at, quoteEnd(source, at)), at };
  const nameEnd = endOf(NAME, text, at);
  if (nameEnd > at) return { kind: 'name', text: text.slice(at, nameEnd), at };
  const numberEnd = endOf(NUMBER, text, at);
  if (numberEnd > at) return { kind: 'number', text: text.slice(at, numberEnd), at };
  throw source.error(
    at,
    `unexpected character ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))}`,
  );
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function stringEnd(source: SourceFile, start: number): number {
  const { text } = source;
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  throw source.error(start, 'the string has no closing quote on its line');
}

function quoteEnd(source: SourceFile, start: number): number {
  const end = source.text.indexOf('`', start + 1);
  const name = source.text.slice(start + 1, end);
  if (end < 0 || name === '' || name.includes('\n')) {
    throw source.error(start, 'expected a name and a closing back quote on the same line');
  }
  return end + 1;
}

/** Removes the stars at the start of the lines of a doc comment. */
function stripStars(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim();
}
