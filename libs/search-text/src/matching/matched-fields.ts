import type { FieldValue, QueryNode, SearchField } from '@stratalog/model';
import { analyzeField } from '../analysis/analyze-field';
import { leafMatches, type QueryLeaf } from './matches';

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
): readonly { name: string; value: string }[] {
  const leaves = positiveLeaves(query);
  const matched: { name: string; value: string }[] = [];
  if (leaves.length === 0) return matched;
  for (const field of new Map([...fields.values()].map((each) => [each.name, each])).values()) {
    const relevant = leaves.filter((leaf) =>
      leaf.field === undefined ? field.queryByDefault : leaf.field === field.name,
    );
    if (relevant.length === 0 || !Object.hasOwn(values, field.name)) continue;
    for (const value of new Set((values[field.name] ?? []).map(String))) {
      // Analyzes one value at a time, because no phrase spans two of them.
      const tokens = analyzeField(field, [value]);
      if (relevant.some((leaf) => leafMatches(leaf, tokens))) matched.push({ name: field.name, value });
    }
  }
  return matched;
}

function positiveLeaves(query: QueryNode, positive = true): readonly QueryLeaf[] {
  switch (query.kind) {
    case 'all':
    case 'none':
      return [];
    case 'and':
    case 'or':
      return query.nodes.flatMap((node) => positiveLeaves(node, positive));
    case 'not':
      return positiveLeaves(query.node, !positive);
    default:
      return positive ? [query] : [];
  }
}
