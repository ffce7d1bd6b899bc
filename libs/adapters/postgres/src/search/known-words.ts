import type { SearchDocument } from '@stratalog/model';
import { vocabularyOf } from '@stratalog/search-text';

/** Most remembered words; when there are more, all are forgotten, and written again as they come. */
const MAX_WORDS = 200_000;

/** The words that this process has written to an index version, so that it writes each only once. */
export class KnownWords {
  private readonly words = new Set<string>();

  /**
   * Selects the words of documents that are not known.
   *
   * **Order and repeats**: each once, by alphabet, so that writers of the same words wait for one another in one order.
   */
  selectNew(documents: readonly Pick<SearchDocument, 'text'>[]): readonly string[] {
    const found = new Set<string>();
    for (const { text } of documents) {
      for (const word of vocabularyOf(text)) if (!this.words.has(word)) found.add(word);
    }
    return [...found].sort();
  }

  /** Remembers words after they were written. */
  add(words: readonly string[]): void {
    if (this.words.size + words.length > MAX_WORDS) this.words.clear();
    for (const word of words) this.words.add(word);
  }
}
