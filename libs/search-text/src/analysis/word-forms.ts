import { stemWord } from './stem-word';
import { stemToken } from './token';

/** A word's plain token and its stem, which are equal when the word is its own stem. */
export interface WordForms {
  readonly plain: string;
  readonly stem: string;
}

export function wordForms(plain: string): WordForms {
  return { plain, stem: stemWord(plain) };
}

/** The tokens that stand for the word in an index: its stem only where it differs. */
export function indexedForms({ plain, stem }: WordForms): readonly string[] {
  return stem === plain ? [plain] : [plain, stemToken(stem)];
}

/** The tokens of the words that count as this one: itself, the word that is its stem, the words that share its stem. */
export function askedForms({ plain, stem }: WordForms): readonly string[] {
  // Only letters have endings: no word's stem ends in a digit or was written as hex.
  if (!/^(?!X).*[a-z]$/.test(stem)) return [plain];
  return [...new Set([plain, stem, stemToken(stem)])];
}
