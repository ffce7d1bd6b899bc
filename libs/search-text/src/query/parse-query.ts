import type { QueryNode, SearchField } from '@stratalog/domain';
import { FieldNames } from './field-names';
import { buildLeaf } from './build-leaf';
import { readMark } from './read-ranges';
import { NO_SYNONYMS, type Synonyms } from '../synonyms/synonyms';
import { scanQuery, type Lexeme } from './scan-query';

/** Most words of a query; further ones are ignored, because every word costs each engine time. */
export const MAX_QUERY_WORDS = 256;

/** Prefix by which clients of the original service select this query language. */
export const STRUCTURED_MARK = /^\s*\\{0,2}\/q\s/;

/**
 * Parses a user's query to a tree; the library's README describes the language.
 *
 * Never throws, whatever the text. The tree has at most 50 levels and `MAX_QUERY_WORDS` words; the time is linear in
 * the text.
 *
 * **Shape**: a query that only excludes is a bare `not`; `all` and `none` occur only as the whole tree.
 */
export function parseQuery(
  text: string,
  fields: ReadonlyMap<string, SearchField>,
  synonyms: Synonyms = NO_SYNONYMS,
): QueryNode {
  const query = text.replace(STRUCTURED_MARK, '');
  if (query.trim() === '') return { kind: 'all' };
  const names = FieldNames.of(fields);
  const parsed = new Parser(
    scanQuery(query, (name) => names.find(name)),
    synonyms,
  ).parseGroup();
  // The query has only operators or punctuation: `OR` may be meant as a word.
  const plain = { field: undefined, text: query, quoted: true, prefix: false };
  return parsed ?? buildLeaf(plain, MAX_QUERY_WORDS)?.node ?? { kind: 'none' };
}

/** The field of the leaf that stands for a range of a marked text; the token is its number. No entity type has such a field. */
export const RANGE_FIELD = '\uf8ff';

class Parser {
  private at = 0;
  private wordsLeft = MAX_QUERY_WORDS;

  constructor(
    private readonly lexemes: readonly Lexeme[],
    private readonly synonyms: Synonyms,
  ) {}

  /** Parses up to the end of the group or query; ignores dangling operators. */
  parseGroup(): QueryNode | undefined {
    const alternatives: QueryNode[] = [];
    let required: QueryNode[] = [];
    let negated = false;
    for (;;) {
      const lexeme = this.lexemes[this.at++];
      if (lexeme === undefined || lexeme.kind === 'close') break;
      if (lexeme.kind === 'not') {
        negated = !negated;
        continue;
      }
      if (lexeme.kind === 'or') {
        alternatives.push(...conjunction(required));
        required = [];
      } else {
        const node = this.operand(lexeme);
        if (node !== undefined) required.push(negated ? complement(node) : node);
      }
      negated = false;
    }
    return disjunction([...alternatives, ...conjunction(required)]);
  }

  private operand(lexeme: Lexeme): QueryNode | undefined {
    if (lexeme.kind === 'open') return this.parseGroup();
    if (lexeme.kind !== 'value') return undefined;
    const mark = readMark(lexeme.text);
    if (mark !== undefined) return { kind: 'exact', field: RANGE_FIELD, token: String(mark) };
    if (this.wordsLeft === 0) return undefined;
    const leaf = buildLeaf({ ...lexeme, synonyms: this.synonyms }, this.wordsLeft);
    this.wordsLeft -= leaf?.words ?? 0;
    return leaf?.node;
  }
}

/** Inverts a node. */
export function complement(node: QueryNode): QueryNode {
  if (node.kind === 'all') return { kind: 'none' };
  if (node.kind === 'not') return node.node;
  return node.kind === 'none' ? { kind: 'all' } : { kind: 'not', node };
}

/** Joins the nodes to one; no nodes give no node, because they restrict nothing. */
function conjunction(nodes: readonly QueryNode[]): readonly QueryNode[] {
  if (nodes.some(({ kind }) => kind === 'none')) return [{ kind: 'none' }];
  const restricting = nodes.filter(({ kind }) => kind !== 'all');
  if (restricting.length > 1) return [{ kind: 'and', nodes: restricting }];
  return restricting.length === 1 ? restricting : nodes.slice(0, 1);
}

function disjunction(nodes: readonly QueryNode[]): QueryNode | undefined {
  const whole = nodes.find(({ kind }) => kind === 'all');
  if (whole !== undefined) return whole;
  const possible = nodes.filter(({ kind }) => kind !== 'none');
  return possible.length > 1 ? { kind: 'or', nodes: possible } : (possible[0] ?? nodes[0]);
}
