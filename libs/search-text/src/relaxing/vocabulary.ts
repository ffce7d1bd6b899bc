import { editDistance, type FieldTokens } from '@stratalog/domain';
import { LRUCache } from 'lru-cache';
import { isVocabularyWord } from '../analysis/vocabulary-word';

/** Words that are worth comparing; longer ones are keys and hashes. */
const MAX_COMPARED_LENGTH = 40;

/** Most near words of a text. */
const MAX_NEAR = 10;
/** Most texts whose near words are cached. */
const MAX_CACHED = 1_000;

export interface NearWord {
  readonly word: string;
  /** Number of edits. */
  readonly distance: number;
}

/**
 * Collects the words of a document that an index offers as its vocabulary.
 *
 * **Order and repeats**: each once.
 */
export function collectVocabulary(text: readonly FieldTokens[]): readonly string[] {
  const words = new Set<string>();
  for (const { tokens } of text) {
    for (const { token } of tokens) if (isVocabularyWord(token)) words.add(token);
  }
  return [...words];
}

/** The words of an index, for finding those that resemble a word of a query. */
export class Vocabulary {
  private readonly words: ReadonlySet<string>;
  /** The words of each length, the shortest first. */
  private readonly byLength: ReadonlyMap<number, readonly string[]>;
  // A search asks for the same words several times, and each comparison takes milliseconds.
  private readonly found = new LRUCache<string, readonly NearWord[]>({
    max: MAX_CACHED,
    memoMethod: (text) => this.compare(text),
  });

  constructor(words: Iterable<string>) {
    this.words = new Set(words);
    const byLength = new Map<number, string[]>();
    for (const word of [...this.words].sort()) {
      const own = byLength.get(word.length);
      if (own === undefined) byLength.set(word.length, [word]);
      else own.push(word);
    }
    this.byLength = new Map([...byLength].sort(([one], [other]) => one - other));
  }

  has(word: string): boolean {
    return this.words.has(word);
  }

  /** True when a word begins with the text. */
  hasPrefix(start: string): boolean {
    return this.atLeast(start.length).some((words) => words.some((word) => word.startsWith(start)));
  }

  /**
   * Lists words that contain the text, but do not begin with it.
   *
   * **Order and repeats**: the shortest first, then by alphabet.
   */
  containing(part: string, limit: number): readonly string[] {
    const found: string[] = [];
    for (const words of this.atLeast(part.length + 1)) {
      for (const word of words) {
        if (word.indexOf(part) <= 0) continue;
        found.push(word);
        if (found.length === limit) return found;
      }
    }
    return found;
  }

  /**
   * Lists words that people may have meant: one edit away, or two for a text of at least eight letters.
   *
   * **Order and repeats**: the fewest edits first, then those that begin with the same letter, then by alphabet.
   */
  near(text: string, limit: number): readonly NearWord[] {
    if (text.length < 3 || text.length > MAX_COMPARED_LENGTH) return [];
    return this.found.memo(text).slice(0, limit);
  }

  private compare(text: string): readonly NearWord[] {
    const edits = text.length >= 8 ? 2 : 1;
    const found: NearWord[] = [];
    for (let length = text.length - edits; length <= text.length + edits; length++) {
      for (const word of this.byLength.get(length) ?? []) {
        const distance = editDistance(text, word, edits + 1);
        if (distance > 0 && distance <= edits) found.push({ word, distance });
      }
    }
    const isSame = ({ word }: NearWord): number => (word.startsWith(text.slice(0, 1)) ? 0 : 1);
    return found
      .sort(
        (one, other) =>
          one.distance - other.distance || isSame(one) - isSame(other) || (one.word < other.word ? -1 : 1),
      )
      .slice(0, MAX_NEAR);
  }

  /** Lists the ways to split a text into two words of at least three letters. */
  splits(text: string): readonly (readonly [string, string])[] {
    const found: [string, string][] = [];
    for (let at = 3; at <= text.length - 3; at++) {
      const parts: [string, string] = [text.slice(0, at), text.slice(at)];
      if (parts.every((part) => this.has(part))) found.push(parts);
    }
    return found;
  }

  /** Returns the words of at least a length, the shortest first. */
  private atLeast(length: number): readonly (readonly string[])[] {
    return [...this.byLength]
      .filter(([own]) => own >= length && own <= MAX_COMPARED_LENGTH)
      .map(([, words]) => words);
  }
}
