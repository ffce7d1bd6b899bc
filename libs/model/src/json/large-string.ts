import type { Steps } from './steps';

/** So much of a text is read in one step. **Units**: characters. */
const PIECE_LENGTH = 256 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/**
 * What a JSON string says that begins at `from` with its quotation mark, and the place behind its end.
 *
 * **Errors**: `SyntaxError` for one that does not end, or holds what no JSON string may.
 */
export function* textOfLargeString(
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

/** At the quotation mark behind the string, or where a step has enough; never within an escape. */
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
