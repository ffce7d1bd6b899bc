import type { FieldValue, QueryNode, SearchField } from '@stratalog/model';
import { analyzeField } from '../analysis/analyze-field';
import { listFieldLeaves } from '../query/query-nodes';
import { leafMatches } from './matches';

/** A field and a stored value that satisfied a part of a query. */
export interface MatchedField {
  readonly name: string;
  readonly value: string;
}

/**
 * Lists the fields and stored values of a hit that satisfied a word, phrase or `field:value` of the query. Excluded
 * parts and `*` are never reported.
 *
 * **Order and repeats**: in the order of `fields`, then of the values; each pair once.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export function matchedFields(
  query: QueryNode,
  values: Readonly<Record<string, readonly FieldValue[]>>,
  fields: ReadonlyMap<string, SearchField>,
): readonly MatchedField[] {
  const matched: MatchedField[] = [];
  for (const field of new Map([...fields.values()].map((each) => [each.name, each])).values()) {
    if (!Object.hasOwn(values, field.name)) continue;
    const relevant = listFieldLeaves(query, field);
    if (relevant.length === 0) continue;
    for (const value of new Set((values[field.name] ?? []).map(String))) {
      // Analyzes one value at a time, because no phrase spans two of them.
      const tokens = analyzeField(field, [value]);
      if (relevant.some((leaf) => leafMatches(leaf, tokens))) matched.push({ name: field.name, value });
    }
  }
  return matched;
}
