import type { FieldValue } from '@stratalog/domain';
import { foldText, wholeStart } from './fold-text';

/** Longest compared part of a value for autocompletion, in characters. */
const MAX_COMPLETION_LENGTH = 200;
/** Most values of one field that autocompletion offers; names have one, or a few. */
const MAX_COMPLETIONS_PER_FIELD = 20;

/**
 * Folds the values of a field for autocompletion: without case, accents and repeated blanks, at most 200 characters each.
 *
 * **Order and repeats**: distinct, in the order of the values, at most 20.
 */
export function toCompletions(values: readonly FieldValue[]): readonly string[] {
  const folded = values
    .slice(0, MAX_COMPLETIONS_PER_FIELD)
    .map((value) => foldCompletion(String(value)).trimEnd());
  return [...new Set(folded)].filter((text) => text !== '');
}

/** Folds a text as {@link toCompletions} folds values. A blank at its end stays: the word before it is complete. */
export function foldCompletion(text: string): string {
  const folded = foldText(text.slice(0, 2 * MAX_COMPLETION_LENGTH))
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('\u0000', '\ufffd');
  return wholeStart(folded.trimStart().replace(/\s+/gu, ' ').slice(0, MAX_COMPLETION_LENGTH));
}
