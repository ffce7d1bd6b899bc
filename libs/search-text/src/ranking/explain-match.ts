import {
  NAME_FIELD,
  type FieldTokens,
  type QueryNode,
  type ScoreCase,
  type ScoreTerm,
  type SearchDocument,
} from '@stratalog/domain';
import { matches } from '../matching/matches';
import { isStemToken } from '../analysis/token';
import { WHOLE_MARK } from './names';
import { isMet } from './score-match';

/** One part of the score of a match, in words. */
export interface ExplainedTerm {
  /** The case of the document that counts, or the absence of all. */
  readonly reason: string;
  readonly boost: number;
  /** The highest boost of the term. */
  readonly possible: number;
}

/** Explains each part of the score of a match, in the order of the ranking. */
export function explainScore(
  ranking: readonly ScoreTerm[],
  document: Pick<SearchDocument, 'text'>,
): readonly ExplainedTerm[] {
  return ranking.map(({ cases }) => {
    const byBoost = [...cases].sort((one, other) => other.boost - one.boost);
    const counting = byBoost.find((each) => isMet(each, document));
    const possible = byBoost[0]?.boost ?? 0;
    if (counting !== undefined) return { reason: describeCase(counting), boost: counting.boost, possible };
    const wanted = byBoost[0] === undefined ? 'nothing is asked' : `not: ${describeCase(byBoost[0])}`;
    return { reason: wanted, boost: 0, possible };
  });
}

/** Lists the parts of a query that a document does not meet, in words; none for a match. */
export function explainMismatch(query: QueryNode, text: readonly FieldTokens[]): readonly string[] {
  if (matches(query, text)) return [];
  if (query.kind === 'and') return query.nodes.flatMap((node) => explainMismatch(node, text));
  return [
    query.kind === 'not'
      ? `has what the query excludes: ${describeNode(query.node)}`
      : `lacks ${describeNode(query)}`,
  ];
}

const TIERS = {
  1: 'a name',
  2: 'a field of the second tier',
  3: 'a field of the third tier',
  any: 'a searched field',
} as const;

function describeCase(test: ScoreCase): string {
  if (test.kind !== 'completion') {
    const words =
      test.kind === 'word' ? listTokens(test.anyOf) : `a word that begins with ${quoted(test.start)}`;
    return `${TIERS[test.tier]} has ${words}`;
  }
  const isWhole = test.field === NAME_FIELD && test.start.startsWith(WHOLE_MARK);
  const name = isWhole ? 'a whole name' : 'a name';
  const value = test.field === NAME_FIELD ? name : `a value of ${test.field}`;
  const start = isWhole ? test.start.slice(WHOLE_MARK.length) : test.start;
  return `${value} ${test.isWhole ? 'equals' : 'begins with'} ${quoted(start)}`;
}

/** Describes what a node of a query demands. */
function describeNode(node: QueryNode): string {
  switch (node.kind) {
    case 'all':
      return 'anything';
    case 'none':
      return 'a word that can be searched';
    case 'word':
      return `${listTokens(node.anyOf)}${inField(node)}`;
    case 'phrase': {
      const words = node.tokens.map(readToken).join(' ');
      if (node.prefix) return `the words ${quoted(`${words}…`)}${inField(node)}`;
      return `the words ${quoted(words)} side by side${inField(node)}`;
    }
    case 'infix':
      return `a word that ${node.isEnd ? 'ends with' : 'contains'} ${quoted(node.part)}${inField(node)}`;
    case 'exact':
      return `the value ${quoted(readToken(node.token))}${inField(node)}`;
    case 'completion':
      return `a value that begins with ${quoted(node.start)}${inField(node)}`;
    case 'exists':
      return `any value${inField(node)}`;
    case 'not':
      return `the absence of ${describeNode(node.node)}`;
    case 'and':
      return node.nodes.map(describeNode).join(' and ');
    case 'or':
      return node.nodes.map(describeNode).join(', or ');
    default:
      return node satisfies never;
  }
}

function inField({ field }: { readonly field?: string }): string {
  if (field === undefined) return '';
  return field === NAME_FIELD ? ' in a name' : ` in the field ${field}`;
}

/** Formats the words that stand for one another, without their stems. */
function listTokens(tokens: readonly string[]): string {
  const words = tokens.filter((token) => !isStemToken(token)).map((token) => quoted(readToken(token)));
  return words.join(' or ');
}

/** Returns the text that a token encodes, as far as it does. */
function readToken(token: string): string {
  const [, hex] = /^[XE]([0-9a-f]+)$/.exec(token) ?? [];
  if (hex !== undefined) return Buffer.from(hex, 'hex').toString('utf8');
  return token.startsWith('EH') ? 'of the query' : token;
}

function quoted(text: string): string {
  return `"${text}"`;
}
