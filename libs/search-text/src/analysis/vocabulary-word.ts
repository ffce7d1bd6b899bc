const VOCABULARY_WORD = /^[a-z0-9]{2,40}$/;

/** True when a token is a word of the vocabulary: 2 to 40 ASCII letters and digits, no stem and no whole value. */
export function isVocabularyWord(token: string): boolean {
  return VOCABULARY_WORD.test(token);
}
