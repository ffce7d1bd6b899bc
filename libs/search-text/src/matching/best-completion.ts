import type { FieldValue, SearchField } from '@stratalog/model';
import { analyzeField, namesIn } from '../analysis/analyze-field';
import { foldCompletion } from '../analysis/completions';
import { parseCompletion } from '../query/parse-completion';
import { matches } from './matches';

/** Ranks of a value for a partial text: it equals the text, begins with it, has its words. */
const EQUAL = 3;
const BEGINS = 2;
const HAS_WORDS = 1;

/**
 * Returns the value of a document that completes a partial text best, as people write it; `undefined` when none does.
 *
 * **Order and repeats**: of equally good values the first, in the order of `fields`.
 */
export function bestCompletion(
  text: string,
  fields: readonly SearchField[],
  values: Readonly<Record<string, readonly FieldValue[]>>,
): string | undefined {
  let best: { readonly name: string; readonly rank: number } | undefined;
  for (const field of fields) {
    for (const value of Object.hasOwn(values, field.name) ? (values[field.name] ?? []) : []) {
      const rank = rankCompletion(text, field, value);
      if (rank > (best?.rank ?? 0)) best = { name: namesIn(field, [String(value)])[0] ?? '', rank };
    }
  }
  return best?.name;
}

function rankCompletion(text: string, field: SearchField, value: FieldValue): number {
  const start = foldCompletion(text);
  const tokens = analyzeField(field, [value]);
  if (tokens.completions.includes(start.trimEnd())) return EQUAL;
  if (tokens.completions.some((folded) => folded.startsWith(start))) return BEGINS;
  return matches(parseCompletion(text, [field]), [tokens]) ? HAS_WORDS : 0;
}
