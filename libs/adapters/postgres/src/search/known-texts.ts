/** Most cached texts; when there are more, all are forgotten, and written again as they come. */
const MAX_TEXTS = 200_000;

/** The words, or names of fields, that this process has written to an index version, so that it writes each only once. */
export class KnownTexts {
  private readonly texts = new Set<string>();

  /**
   * Selects the texts that are not known.
   *
   * **Order and repeats**: each once, by alphabet, so that writers of the same texts wait for one another in one order.
   */
  selectNew(texts: Iterable<string>): readonly string[] {
    const found = new Set<string>();
    for (const text of texts) if (!this.texts.has(text)) found.add(text);
    return [...found].sort();
  }

  /** Remembers texts after they were written. */
  add(texts: readonly string[]): void {
    if (this.texts.size + texts.length > MAX_TEXTS) this.texts.clear();
    for (const text of texts) this.texts.add(text);
  }
}
