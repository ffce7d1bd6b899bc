import { oneOf } from '@stratalog/http';
import { didYouMean } from '@stratalog/domain';

/** A parameter that is one of some words; the rejection of another lists them. */
export function oneOfWords<Word extends string>(words: readonly Word[]) {
  return oneOf(words, (sent) => ({
    reason: `"${sent.slice(0, 100)}" is not one of ${words.join(', ')}${didYouMean(sent, words)}`,
  }));
}
