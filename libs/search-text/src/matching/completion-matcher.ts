import type { FieldValue, QueryNode, SearchField } from '@stratalog/domain';
import { analyzeField, namesIn } from '../analysis/analyze-field';
import { foldCompletion } from '../analysis/completions';
import { parseCompletion } from '../query/parse-completion';
import { matches } from './matches';

/** Ranks of a value for a partial text: it equals the text, begins with it, has its words. */
const EQUAL = 3;
const BEGINS = 2;
const HAS_WORDS = 1;

interface CompletedField {
  readonly field: SearchField;
  /** Matches a value with the words of the text. */
  readonly query: QueryNode;
}

/** Finds the values of hits that complete one partial text. */
export class CompletionMatcher {
  private readonly start: string;
  private readonly fields: readonly CompletedField[];

  constructor(text: string, fields: readonly SearchField[]) {
    this.start = foldCompletion(text);
    this.fields = fields.map((field) => ({ field, query: parseCompletion(text, [field]) }));
  }

  /**
   * Returns the value of a hit that completes the text best, as people write it; `undefined` when none does.
   *
   * **Order and repeats**: of equally good values the first, in the order of the fields.
   */
  best(values: Readonly<Record<string, readonly FieldValue[]>>): string | undefined {
    let best: { readonly name: string; readonly rank: number } | undefined;
    for (const each of this.fields) {
      const { field } = each;
      for (const value of Object.hasOwn(values, field.name) ? (values[field.name] ?? []) : []) {
        const rank = this.rank(each, value);
        if (rank > (best?.rank ?? 0)) best = { name: namesIn(field, [String(value)])[0] ?? '', rank };
      }
    }
    return best?.name;
  }

  private rank({ field, query }: CompletedField, value: FieldValue): number {
    const tokens = analyzeField(field, [value]);
    if (tokens.completions.includes(this.start.trimEnd())) return EQUAL;
    if (tokens.completions.some((folded) => folded.startsWith(this.start))) return BEGINS;
    return matches(query, [tokens]) ? HAS_WORDS : 0;
  }
}
