import { isPhraseWord } from '@stratalog/search-text';

/** Number of different hashes. More would make the token index larger, fewer would let more documents through. */
const HASHES = 4_096;
const RADIX = 64;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Computes a short hash of two words that are next to each other: two characters; `undefined` for stems and tokens of paths, which no
 * phrase has.
 *
 * The token index has the pairs of a document in addition to its words. Without them PostgreSQL would read the tokens of every document
 * that has all words of a phrase. Other words may have the same pair, so the tokens of the remaining documents are read.
 */
export function toPair(first: string, second: string): string | undefined {
  if (!isPhraseWord(first) || !isPhraseWord(second)) return undefined;
  const pair = addToHash(addToHash(FIRST_HASH, first) ^ SEPARATOR, second) % HASHES;
  return (DIGITS[Math.floor(pair / RADIX)] ?? '') + (DIGITS[pair % RADIX] ?? '');
}

const FIRST_HASH = 0x811c9dc5;
const FACTOR = 0x01000193;
const SEPARATOR = 0x20;

function addToHash(hash: number, word: string): number {
  let sum = hash;
  for (let at = 0; at < word.length; at++) sum = Math.imul(sum ^ word.charCodeAt(at), FACTOR);
  return (sum ^ (sum >>> 15)) >>> 0;
}
