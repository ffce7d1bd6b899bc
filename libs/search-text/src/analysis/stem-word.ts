import snowball from 'snowball-stemmers';

const STEMMABLE = /^[a-z]{3,64}$/;

/** Memory for a vocabulary of that many words; a full memo is dropped whole, which costs one slow moment. */
const MAX_REMEMBERED = 50_000;

const english = snowball.newStemmer('english');
// A memo, not state: it changes how fast an answer comes, never the answer.
const remembered = new Map<string, string>();

/** The English stem of a lower-case word; a word with anything but ASCII letters is its own stem. */
export function stemWord(word: string): string {
  if (!STEMMABLE.test(word)) return word;
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const stem = english.stem(word);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(word, stem);
  return stem;
}
