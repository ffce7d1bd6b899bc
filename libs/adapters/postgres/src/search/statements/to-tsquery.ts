import type { QueryNode } from '@stratalog/domain';
import type { InfixNode } from '../infix-words';
import { COMPLETION_MARK, pairLexeme, quoteLexeme, scoped } from '../to-tsvector';

/** A text query in the form that PostgreSQL evaluates. */
export type TextCondition =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'tsquery';
      readonly text: string;
      /** True when it excludes tokens: then the token index may let through documents whose tokens are being moved. */
      readonly excludes: boolean;
    };

/** Returns the words of the index that a part stands for. */
export type WordsWith = (node: InfixNode) => readonly string[];

const MAX_ROW = 16;

/**
 * Translates the query tree into the text form of a `tsquery`. It folds `all` and `none` away, because a `tsquery` can
 * express neither.
 */
export function toTsquery(node: QueryNode, wordsWith: WordsWith): TextCondition {
  const convert = (each: QueryNode): TextCondition => toTsquery(each, wordsWith);
  switch (node.kind) {
    case 'all':
    case 'none':
      return node;
    case 'word':
      return toLexemes(node.field, node.anyOf);
    case 'phrase':
      return anyOf([
        tsquery(phrase(node)),
        ...(node.path === undefined ? [] : [toLexemes(node.field, [node.path])]),
      ]);
    case 'infix':
      return toLexemes(node.field, wordsWith(node));
    case 'exact':
      return tsquery(lexeme(node.field, node.token));
    case 'exists':
      return tsquery(lexeme(node.field, ''));
    case 'completion':
      return tsquery(`${completionLexeme(node.field, node.start)}:*`);
    case 'and':
      return allOf(node.nodes.map(convert));
    case 'or':
      return anyOf(node.nodes.map(convert));
    case 'not':
      return negate(convert(node.node));
    default:
      return node satisfies never;
  }
}

function tsquery(text: string, excludes = false): TextCondition {
  return { kind: 'tsquery', text, excludes };
}

function lexeme(field: string | undefined, token: string): string {
  return quoteLexeme(field === undefined ? token : scoped(field, token));
}

/** Builds the quoted lexeme of a value for autocompletion. */
export function completionLexeme(field: string, value: string): string {
  return lexeme(field, COMPLETION_MARK + value);
}

/** Matches any of the tokens. */
export function toLexemes(field: string | undefined, tokens: readonly string[]): TextCondition {
  return anyOf(tokens.map((token) => tsquery(lexeme(field, token))));
}

export function allOf(conditions: readonly TextCondition[]): TextCondition {
  return combine(conditions, '&');
}

export function anyOf(conditions: readonly TextCondition[]): TextCondition {
  return combine(conditions, '|');
}

/** Requires the pairs of the words too. The index answers them, and few documents that it finds lack the phrase. */
function phrase({ field, tokens, prefix }: Extract<QueryNode, { kind: 'phrase' }>): string {
  const lexemes = tokens.map((token) => lexeme(field, token));
  const text = prefix ? `${lexemes.join(' <-> ')}:*` : lexemes.join(' <-> ');
  if (lexemes.length === 1) return text;
  const complete = prefix ? tokens.slice(0, -1) : tokens;
  const pairs = complete.slice(1).flatMap((token, at) => pairLexeme(complete[at] ?? '', token) ?? []);
  return `(${[text, ...new Set(pairs.map(quoteLexeme))].join(' & ')})`;
}

function combine(conditions: readonly TextCondition[], operator: '&' | '|'): TextCondition {
  const absorbing = operator === '&' ? 'none' : 'all';
  const neutral = operator === '&' ? 'all' : 'none';
  if (conditions.some(({ kind }) => kind === absorbing)) return { kind: absorbing };
  const queries = conditions.filter((condition) => condition.kind === 'tsquery');
  if (queries.length === 0) return { kind: neutral };
  const texts = queries.map(({ text }) => text);
  return tsquery(
    balanced(texts, ` ${operator} `),
    queries.some(({ excludes }) => excludes),
  );
}

/** Joins texts as a balanced tree. PostgreSQL's parser recurses once per element of a list without parentheses. */
function balanced(texts: readonly string[], operator: string): string {
  if (texts.length === 1) return texts[0] ?? '';
  if (texts.length <= MAX_ROW) return `(${texts.join(operator)})`;
  const half = Math.ceil(texts.length / 2);
  return `(${balanced(texts.slice(0, half), operator)}${operator}${balanced(texts.slice(half), operator)})`;
}

export function negate(condition: TextCondition): TextCondition {
  switch (condition.kind) {
    case 'all':
      return { kind: 'none' };
    case 'none':
      return { kind: 'all' };
    case 'tsquery':
      return tsquery(`!${condition.text}`, true);
    default:
      return condition satisfies never;
  }
}
