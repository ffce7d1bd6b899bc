import type { Steps } from './steps';

/** Length of the piece that one step reads. **Units**: characters. */
const PIECE_LENGTH = 256 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/**
 * Parses the JSON string whose opening quotation mark is at `from`; returns its text and the index after its end.
 *
 * **Errors**: `SyntaxError` for an unterminated string, or for a character that JSON strings forbid.
 */
export function* parseLargeString(
  text: string,
  from: number,
): Steps<{ readonly text: string; readonly end: number }> {
  const pieces: string[] = [];
  let at = from + 1;
  for (;;) {
    const end = endOfPiece(text, at);
    pieces.push(JSON.parse(`"${text.slice(at, end)}"`) as string);
    if (text.charCodeAt(end) === QUOTE) return { text: pieces.join(''), end: end + 1 };
    if (end >= text.length) throw new SyntaxError('Unterminated string in JSON');
    at = end;
    yield;
  }
}

/** Index of the closing quotation mark, or of the end of one piece. A piece never ends within an escape. */
function endOfPiece(text: string, from: number): number {
  const limit = Math.min(text.length, from + PIECE_LENGTH);
  let at = from;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += text.charCodeAt(at + 1) === LETTER_U ? 6 : 2;
    else at++;
  }
  return at;
}
