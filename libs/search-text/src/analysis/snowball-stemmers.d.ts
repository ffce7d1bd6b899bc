declare module 'snowball-stemmers' {
  interface Stemmer {
    /** Returns the stem of a lower-case word. */
    stem(word: string): string;
  }
  const snowball: { newStemmer(language: string): Stemmer };
  export = snowball;
}
