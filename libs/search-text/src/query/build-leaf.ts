import type { QueryNode, SearchField } from '@stratalog/model';
import { toExactToken, extractWords } from '../analysis/analyze-field';
import { findCompounds, type Compound } from '../analysis/compound';
import { fieldKind } from '../analysis/field-kinds';
import type { ReadValue } from './read-value';
import { prefixToken } from '../analysis/token';
import { queryForms, wordForms } from '../analysis/word-forms';

export interface Term extends Pick<ReadValue, 'text' | 'quoted' | 'prefix'> {
  readonly field: SearchField | undefined;
}

/** A term's node and its number of words. */
export interface Leaf {
  readonly node: QueryNode;
  readonly words: number;
}

/** Builds the node of one term with at most `maxWords` words; `undefined` when the term has no word, like `&`. */
export function buildLeaf(term: Term, maxWords: number): Leaf | undefined {
  const { field, text, quoted, prefix } = term;
  if (text === '' && prefix && !quoted) {
    return { node: field === undefined ? { kind: 'all' } : { kind: 'exists', field: field.name }, words: 1 };
  }
  if (field !== undefined && fieldKind(field) !== 'text' && !prefix) {
    return { node: { kind: 'exact', field: field.name, token: toExactToken(field, text) }, words: 1 };
  }
  return wordsLeaf(term, maxWords);
}

/** Builds the node of the words of a term, in any field that holds words. */
export function wordsLeaf({ field, text, quoted, prefix }: Term, maxWords: number): Leaf | undefined {
  const compounds: Compound[] = [];
  let words = 0;
  const read = extractWords(text);
  for (const compound of findCompounds(read)) {
    compounds.push(compound);
    words += compound.places.length;
    if (words >= maxWords) break;
  }
  const scope = field === undefined ? {} : { field: field.name };
  const tokens = compounds.flatMap(({ places }) => places).slice(0, maxWords);
  if (tokens.length === 0) return undefined;
  // After a dot or an underscore the word is complete: `sales.*` matches what follows `sales`.
  const isPrefix = prefix && words <= maxWords && (quoted || /[\p{L}\p{N}\p{M}]$/u.test(read.slice(-2)));
  const asWritten = phraseNode({ ...scope, tokens, prefix: isPrefix, exact: quoted });
  const joined = compounds.length === 1 && !quoted ? compounds[0]?.joined : undefined;
  if (joined === undefined) return { node: asWritten, words: tokens.length };
  const asOneWord = isPrefix
    ? phraseNode({ ...scope, tokens: [joined.plain], prefix: true, exact: true })
    : ({ kind: 'word', ...scope, anyOf: queryForms(joined) } as const);
  return { node: { kind: 'or', nodes: [asWritten, asOneWord] }, words: tokens.length };
}

function phraseNode(phrase: {
  readonly field?: string;
  readonly tokens: readonly string[];
  readonly prefix: boolean;
  /** True: a single word matches only in this form. */
  readonly exact: boolean;
}): QueryNode {
  const { tokens, prefix, exact, ...scope } = phrase;
  const [first = '', second] = tokens;
  if (prefix) {
    const last = prefixToken(tokens.at(-1) ?? '');
    return { kind: 'phrase', ...scope, tokens: [...tokens.slice(0, -1), last], prefix };
  }
  if (second !== undefined) return { kind: 'phrase', ...scope, tokens, prefix };
  return { kind: 'word', ...scope, anyOf: exact ? [first] : queryForms(wordForms(first)) };
}
