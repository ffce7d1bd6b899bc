import type { QueryNode, SearchField } from '@stratalog/domain';
import { analyzeField } from '../analysis/analyze-field';
import { positiveLeaves, selectLeaves, type QueryLeaf } from '../query/query-nodes';
import { leafMatches } from './matches';

/** A part of a value with the places of the words that a query matched. */
export interface Fragment {
  /** At most 200 characters, beginning at a word. */
  readonly text: string;
  /** The first character of each matched word, and the one behind its last, counted in UTF-16 units. */
  readonly marks: readonly (readonly [number, number])[];
  /** True when the value goes on before or behind the text. */
  readonly isCut: boolean;
}

const MAX_LENGTH = 200;
/** Characters before the first mark. */
const BEFORE = 60;
/** Most characters that are searched for words. */
const MAX_READ = 20_000;

/** A run of letters and digits, with the signs that connect words. */
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[_'-]+[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;

/**
 * Marks the words of a value that a query matched. A word written with `_`, `-` or an apostrophe is marked as a whole; a value that matched as
 * such is marked from its beginning to its end.
 *
 * **Shape**: `undefined` when no word of the first 20,000 characters can be marked.
 */
export function markWords(query: QueryNode, field: SearchField, value: string): Fragment | undefined {
  const leaves = selectLeaves(positiveLeaves(query), field);
  const whole = leaves.some(({ kind }) => kind === 'exact' || kind === 'completion');
  const marks = whole ? [[0, value.length] as const] : findMarks(leaves, field, value.slice(0, MAX_READ));
  const [first] = marks;
  if (first === undefined) return undefined;
  const start = value.length <= MAX_LENGTH ? 0 : startOfWord(value, Math.max(0, first[0] - BEFORE));
  const text = value.slice(start, start + MAX_LENGTH);
  return {
    text,
    marks: marks.flatMap(([from, to]) =>
      from - start < text.length ? [[from - start, Math.min(to - start, text.length)] as const] : [],
    ),
    isCut: text.length < value.length,
  };
}

function findMarks(
  leaves: readonly QueryLeaf[],
  field: SearchField,
  text: string,
): readonly (readonly [number, number])[] {
  const words = leaves.flatMap(splitPhrase);
  return [...text.matchAll(RUN)].flatMap(({ index, 0: run }) => {
    const tokens = analyzeField({ ...field, type: 'TEXT' }, [run]);
    return words.some((word) => leafMatches(word, tokens)) ? [[index, index + run.length] as const] : [];
  });
}

/** Splits a phrase into its words, because each is marked on its own. */
function splitPhrase(leaf: QueryLeaf): readonly QueryLeaf[] {
  if (leaf.kind !== 'phrase') return [leaf];
  const last = leaf.tokens.length - 1;
  return leaf.tokens.map((token, at) => ({ ...leaf, tokens: [token], prefix: leaf.prefix && at === last }));
}

function startOfWord(text: string, at: number): number {
  const next = text.slice(at, at + BEFORE).search(/(?<=\s)\S/u);
  return at === 0 || next < 0 ? at : at + next;
}
