import type { FieldTokens, PlacedToken, QueryNode } from '@stratalog/domain';
import { isVocabularyWord } from '../analysis/vocabulary-word';
import type { QueryLeaf } from '../query/query-nodes';

/**
 * Evaluates a query tree on the tokens of one document. It defines the meaning of queries; contract tests compare
 * engines with it. A field exists when the document has an entry for it; the document builder makes one for each
 * field with a value.
 */
export function matches(query: QueryNode, text: readonly FieldTokens[]): boolean {
  switch (query.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return query.nodes.every((node) => matches(node, text));
    case 'or':
      return query.nodes.some((node) => matches(node, text));
    case 'not':
      return !matches(query.node, text);
    default:
      return text.some((field) => leafMatches(query, field));
  }
}

/** True when the leaf tests this field, by name or by default, and the field matches. */
export function leafMatches(leaf: QueryLeaf, text: FieldTokens): boolean {
  if (leaf.field === undefined ? !text.queryByDefault : leaf.field !== text.field) return false;
  switch (leaf.kind) {
    case 'word':
      return text.tokens.some(({ token }) => leaf.anyOf.includes(token));
    case 'phrase':
      return phraseMatches(leaf, text.tokens) || text.tokens.some(({ token }) => token === leaf.path);
    case 'infix':
      return text.tokens.some(({ token }) => hasPart(token, leaf));
    case 'exact':
      return text.exact.includes(leaf.token);
    case 'exists':
      return true;
    case 'completion':
      return text.completions.some((value) => value.startsWith(leaf.start));
    default:
      return leaf satisfies never;
  }
}

function hasPart(token: string, { part, isEnd }: Extract<QueryLeaf, { kind: 'infix' }>): boolean {
  return isVocabularyWord(token) && (isEnd ? token.endsWith(part) : token.includes(part));
}

function phraseMatches(
  leaf: Extract<QueryLeaf, { kind: 'phrase' }>,
  placed: readonly PlacedToken[],
): boolean {
  const last = leaf.tokens.length - 1;
  let ends: ReadonlySet<number> | undefined;
  for (const [at, wanted] of leaf.tokens.entries()) {
    const fits = (token: string) =>
      leaf.prefix && at === last ? token.startsWith(wanted) : token === wanted;
    const here = placed.filter(({ token }) => fits(token)).map(({ position }) => position);
    const before = ends;
    ends = new Set(before === undefined ? here : here.filter((position) => before.has(position - 1)));
  }
  return ends !== undefined && ends.size > 0;
}
