import snowball from 'snowball-stemmers';

const STEMMABLE = /^[a-z]{3,64}$/;

/** Most cached words. A full cache is cleared completely, which slows the next words once. */
const MAX_CACHED = 50_000;

const english = snowball.newStemmer('english');
// A cache without effect on results.
const cache = new Map<string, string>();

/** Returns the English stem of a lower-case word; a word with other characters than ASCII letters is its own stem. */
export function stemWord(word: string): string {
  if (!STEMMABLE.test(word)) return word;
  const known = cache.get(word);
  if (known !== undefined) return known;
  const stem = english.stem(word);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(word, stem);
  return stem;
}
