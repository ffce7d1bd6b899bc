import { stemWord } from '../analysis/stem-word';
import { findCompounds } from '../analysis/compound';

/** Most lines of a list, so that every query looks up a list of bounded size. */
const MAX_LINES = 10_000;

/** Words that stand for one another in queries. */
export class Synonyms {
  private readonly byStem = new Map<string, Set<string>>();

  /** Returns the words that stand for a word, in any number and tense of it. */
  of(word: string): readonly string[] {
    return [...(this.byStem.get(stemWord(word)) ?? [])];
  }

  /** Makes one word stand for another. */
  private add(word: string, other: string): void {
    const stem = stemWord(word);
    const known = this.byStem.get(stem);
    if (known === undefined) this.byStem.set(stem, new Set([other]));
    else known.add(other);
  }

  /**
   * Parses a list with a line `cust = customer` or `inv = invoice, inventory` for each word. The words on the two sides
   * stand for each other, those of one side do not. A line that begins with `#` is a comment.
   *
   * **Errors**: `Error` with the number of the line and the reason.
   */
  static parse(text: string): Synonyms {
    const synonyms = new Synonyms();
    const lines = text.split(/\r?\n/);
    if (lines.length > MAX_LINES)
      throw new Error(`A list of synonyms has at most ${String(MAX_LINES)} lines`);
    for (const [at, line] of lines.entries()) {
      const trimmed = line.trim();
      if (trimmed === '' || trimmed.startsWith('#')) continue;
      const [left = '', right = '', ...more] = trimmed.split('=');
      const words = [left, ...right.split(',')].map(readWord);
      const [short, ...others] = words;
      if (more.length > 0 || short === undefined || others.some((other) => other === undefined)) {
        throw new Error(
          `Line ${String(at + 1)} is not of the form "word = word, word": ${trimmed.slice(0, 100)}`,
        );
      }
      for (const other of others.filter((each) => each !== undefined)) {
        synonyms.add(short, other);
        synonyms.add(other, short);
      }
    }
    return synonyms;
  }
}

/** Reads one word; `undefined` for anything else. */
function readWord(text: string): string | undefined {
  const [word, ...more] = findCompounds(text.trim().toLowerCase()).flatMap(({ places }) => places);
  return more.length === 0 ? word : undefined;
}

/** A list without words. */
export const NO_SYNONYMS = new Synonyms();
