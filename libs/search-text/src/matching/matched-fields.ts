import { propertyField, type FieldValue, type QueryNode, type SearchField } from '@stratalog/domain';
import { analyzeField } from '../analysis/analyze-field';
import { positiveLeaves, selectLeaves, type QueryLeaf } from '../query/query-nodes';
import { leafMatches } from './matches';

/** A field and a stored value that satisfied a part of a query. */
export interface MatchedField {
  readonly name: string;
  readonly value: string;
}

interface FieldTest {
  readonly field: SearchField;
  /** The parts of the query that test the field. */
  readonly leaves: readonly QueryLeaf[];
}

/**
 * Lists the fields and stored values of hits that satisfied a word, phrase or `field:value` of one query. Excluded
 * parts and `*` are never reported.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export class FieldMatcher {
  private readonly tests: readonly FieldTest[];
  private readonly all: readonly QueryLeaf[];

  constructor(query: QueryNode, fields: ReadonlyMap<string, SearchField>) {
    const distinct = new Map([...fields.values()].map((field) => [field.name, field]));
    this.all = positiveLeaves(query);
    this.tests = this.selectTests([...distinct.values()]);
  }

  private selectTests(fields: readonly SearchField[]): readonly FieldTest[] {
    return fields
      .map((field) => ({ field, leaves: selectLeaves(this.all, field) }))
      .filter(({ leaves }) => leaves.length > 0);
  }

  /**
   * Lists the fields and values of a hit that satisfied the query.
   *
   * **Order and repeats**: in the order of the fields, then of structured properties and of the values; each pair once.
   */
  match(values: Readonly<Record<string, readonly FieldValue[]>>): readonly MatchedField[] {
    const matched: MatchedField[] = [];
    const properties = this.selectTests(Object.keys(values).flatMap((name) => propertyField(name) ?? []));
    for (const { field, leaves } of [...this.tests, ...properties]) {
      if (!Object.hasOwn(values, field.name)) continue;
      for (const value of new Set((values[field.name] ?? []).map(String))) {
        // Analyzes one value at a time, because no phrase spans two of them.
        const tokens = analyzeField(field, [value]);
        if (leaves.some((leaf) => leafMatches(leaf, tokens))) matched.push({ name: field.name, value });
      }
    }
    return matched;
  }
}
