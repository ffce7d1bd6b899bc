import { hash } from 'node:crypto';
import { isAscii } from './fold-text';

/** No token is longer, so that every engine can store every token. */
export const MAX_TOKEN_LENGTH = 255;

/** What is kept of a longer token in front of its hash; a prefix query is cut here as well, and so still finds it. */
const MAX_PREFIX_LENGTH = MAX_TOKEN_LENGTH - 1 - 40;

/** Whole values up to this many bytes are written out; longer ones are hashed, because only equality is asked of them. */
const MAX_WRITTEN_VALUE_BYTES = 32;

/** The token of a word as it is written: folded before, lower-cased here; anything but ASCII becomes `X` and hex of its UTF-8. */
export function plainToken(word: string): string {
  if (isAscii(word)) return shorten(word.toLowerCase());
  // A sigma's lower case depends on where it stands in the word; here it must not.
  const lower = word.toLowerCase().replaceAll('ς', 'σ');
  return shorten(`X${Buffer.from(lower, 'utf8').toString('hex')}`);
}

/** What the tokens of all words begin with that begin like the word of `token`. */
export function prefixToken(token: string): string {
  return token.slice(0, MAX_PREFIX_LENGTH);
}

/** The token that stands for a whole value: equal for values that differ only in case and compatibility forms. */
export function exactToken(value: string): string {
  const normal = value.normalize('NFKC').toLowerCase();
  const bytes = Buffer.from(normal, 'utf8');
  return bytes.length > MAX_WRITTEN_VALUE_BYTES ? `EH${hash('sha1', bytes)}` : `E${bytes.toString('hex')}`;
}

/** Marks a stem, so that it never equals a plain word. */
export function stemToken(stem: string): string {
  return shorten(`S${stem}`);
}

function shorten(token: string): string {
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  return `${token.slice(0, MAX_PREFIX_LENGTH)}Z${hash('sha1', token)}`;
}
