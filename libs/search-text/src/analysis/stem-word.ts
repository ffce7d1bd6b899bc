import { LRUCache } from 'lru-cache';
import snowball from 'snowball-stemmers';

const STEMMABLE = /^[a-z]{3,64}$/;

const MAX_CACHED = 25_000;

const english = snowball.newStemmer('english');
// A cache without effect on results.
const cache = new LRUCache<string, string>({ max: MAX_CACHED });

/** Returns the English stem of a lower-case word; a word with other characters than ASCII letters is its own stem. */
export function stemWord(word: string): string {
  if (!STEMMABLE.test(word)) return word;
  const known = cache.get(word);
  if (known !== undefined) return known;
  const stem = english.stem(word);
  cache.set(word, stem);
  return stem;
}
