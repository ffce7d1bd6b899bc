import { stemWord } from './stem-word';
import { stemToken } from './token';

/** A word's plain token and its stem; both are equal when the word is its own stem. */
export interface WordForms {
  readonly plain: string;
  readonly stem: string;
}

export function wordForms(plain: string): WordForms {
  return { plain, stem: stemWord(plain) };
}

/** Returns the tokens of a word in an index: its stem only when it differs. */
export function indexedForms({ plain, stem }: WordForms): readonly string[] {
  return stem === plain ? [plain] : [plain, stemToken(stem)];
}

/** Returns the tokens that match a query word: the word, the word that is its stem, and words with the same stem. */
export function queryForms({ plain, stem }: WordForms): readonly string[] {
  // Only letters have endings: no stem ends in a digit, and hex tokens have none.
  if (!/^(?!X).*[a-z]$/.test(stem)) return [plain];
  return [...new Set([plain, stem, stemToken(stem)])];
}
