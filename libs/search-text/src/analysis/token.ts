import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isAscii } from './fold-text';

/** Longest token, so that every engine can store every token. */
export const MAX_TOKEN_LENGTH = 255;

/**
 * Length of the part of a longer token before its hash. A prefix query is cut at the same length and therefore still
 * matches.
 */
const MAX_PREFIX_LENGTH = MAX_TOKEN_LENGTH - 1 - 40;

/**
 * Longest whole value that is written out, in bytes; longer ones are hashed, because they are only compared for
 * equality.
 */
const MAX_WRITTEN_VALUE_BYTES = 32;

/**
 * Computes the plain token of a folded word in lower case; a word with non-ASCII characters becomes `X` and the hex
 * of its UTF-8.
 */
export function plainToken(word: string): string {
  if (isAscii(word)) return shorten(word.toLowerCase());
  // The lower case of a sigma depends on its position in the word; the token must not.
  const lower = word.toLowerCase().replaceAll('ς', 'σ');
  return shorten(`X${Buffer.from(lower, 'utf8').toString('hex')}`);
}

/** Returns the common prefix of all tokens whose words start with the word of `token`. */
export function prefixToken(token: string): string {
  return token.slice(0, MAX_PREFIX_LENGTH);
}

const MAX_CACHED = 5_000;
const MAX_CACHED_LENGTH = 64;
// A cache without effect on results: tags, owners, platforms and folders repeat.
const exactTokens = new LRUCache<string, string>({ max: MAX_CACHED, memoMethod: makeExactToken });

/** Computes the token of a whole value: equal for values that differ only in case and compatibility forms. */
export function exactToken(value: string): string {
  return value.length > MAX_CACHED_LENGTH ? makeExactToken(value) : exactTokens.memo(value);
}

function makeExactToken(value: string): string {
  const normal = value.normalize('NFKC').toLowerCase();
  const bytes = Buffer.from(normal, 'utf8');
  return bytes.length > MAX_WRITTEN_VALUE_BYTES ? `EH${hash('sha1', bytes)}` : `E${bytes.toString('hex')}`;
}

const STEM_MARK = 'S';

/** Marks a stem, so that it never equals a plain word. */
export function stemToken(stem: string): string {
  return shorten(STEM_MARK + stem);
}

/** True for the token of a stem; false for a plain word. */
export function isStemToken(token: string): boolean {
  return token.startsWith(STEM_MARK);
}

const PATH_MARK = 'P';
/** Length of the digest of a path: 96 bits. */
const PATH_DIGITS = 24;

/** Computes the token of all words of a path as one. */
export function joinToken(words: readonly string[]): string {
  return PATH_MARK + hash('sha1', words.join(' ')).slice(0, PATH_DIGITS);
}

/** True for a token that phrases consist of: a plain word, no stem and no path. */
export function isPhraseWord(token: string): boolean {
  return !token.startsWith(STEM_MARK) && !token.startsWith(PATH_MARK);
}

function shorten(token: string): string {
  if (token.length <= MAX_TOKEN_LENGTH) return token;
  return `${token.slice(0, MAX_PREFIX_LENGTH)}Z${hash('sha1', token)}`;
}
