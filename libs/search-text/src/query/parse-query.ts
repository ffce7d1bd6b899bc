import type { QueryNode, SearchField } from '@stratalog/model';
import { FieldNames } from './field-names';
import { buildLeaf } from './build-leaf';
import { scanQuery, type Lexeme } from './scan-query';

/** Words beyond this many are ignored: nobody types so many, and every one of them costs each engine. */
export const MAX_QUERY_WORDS = 256;

/** A mark in front of the query by which clients of the original service ask for this very language. */
const STRUCTURED_MARK = /^\s*\\{0,2}\/q\s/;

/**
 * The tree of a query as a user writes it; the README beside this library tells the language.
 *
 * Total: never throws, whatever the text. At most 50 levels deep, at most `MAX_QUERY_WORDS` words, time linear in the text.
 *
 * **Shape**: a query that only excludes is a bare `not`; `all` and `none` only ever stand alone.
 */
export function parseQuery(text: string, fields: ReadonlyMap<string, SearchField>): QueryNode {
  const query = text.replace(STRUCTURED_MARK, '');
  if (query.trim() === '') return { kind: 'all' };
  const names = new FieldNames(fields);
  const parsed = new Parser(scanQuery(query, (name) => names.find(name))).parseGroup();
  // Nothing but operators or punctuation: `OR` may well be meant as a word.
  const plain = { field: undefined, text: query, quoted: true, prefix: false };
  return parsed ?? buildLeaf(plain, MAX_QUERY_WORDS)?.node ?? { kind: 'none' };
}

class Parser {
  private at = 0;
  private wordsLeft = MAX_QUERY_WORDS;

  constructor(private readonly lexemes: readonly Lexeme[]) {}

  /** Reads up to the end of the group or query; dangling operators count for nothing. */
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
    if (lexeme.kind !== 'value' || this.wordsLeft === 0) return undefined;
    const leaf = buildLeaf(lexeme, this.wordsLeft);
    this.wordsLeft -= leaf?.words ?? 0;
    return leaf?.node;
  }
}

function complement(node: QueryNode): QueryNode {
  if (node.kind === 'all') return { kind: 'none' };
  if (node.kind === 'not') return node.node;
  return node.kind === 'none' ? { kind: 'all' } : { kind: 'not', node };
}

/** All of the nodes as one; nothing for no nodes, since what is not there restricts nothing. */
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
