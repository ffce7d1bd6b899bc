import type { SearchField } from '@stratalog/domain';
import { readPlain } from './read-plain';
import type { Vocabulary } from './vocabulary';

/** A query with a word replaced that is probably misspelt. */
export interface SpellingSuggestion {
  readonly text: string;
  /** From 0 to 1: the part of the letters that stayed. */
  readonly score: number;
}

/**
 * Suggests queries in which misspelt words are replaced by near words of the index.
 *
 * **Order and repeats**: the fewest edits first; at most `limit`.
 */
export function suggestSpelling(
  text: string,
  fields: ReadonlyMap<string, SearchField>,
  vocabulary: Vocabulary,
  limit: number,
): readonly SpellingSuggestion[] {
  const unknown = (readPlain(text, fields)?.words ?? []).filter(
    (word) => /^[a-z0-9]+$/.test(word) && !vocabulary.hasPrefix(word),
  );
  const corrections = unknown.map((word) => ({ word, near: vocabulary.near(word, limit) }));
  if (corrections.length === 0 || corrections.some(({ near }) => near.length === 0)) return [];
  const longest = Math.max(...corrections.map(({ near }) => near.length));
  return Array.from({ length: longest }, (_, at) => {
    let corrected = text;
    let edits = 0;
    for (const { word, near } of corrections) {
      const found = near[Math.min(at, near.length - 1)];
      if (found === undefined) continue;
      corrected = corrected.replace(new RegExp(word, 'i'), found.word);
      edits += found.distance;
    }
    return { text: corrected, score: Math.max(0, 1 - edits / text.length) };
  });
}
