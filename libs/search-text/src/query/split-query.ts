import type { QueryNode, SearchCriterion, SearchField, SearchFilter } from '@stratalog/domain';
import type { Synonyms } from '../synonyms/synonyms';
import { complement, parseQuery, RANGE_FIELD } from './parse-query';
import { allOf, anyOf, listLeaves } from './query-nodes';
import type { ReadRanges } from './read-ranges';

/** Most combinations of words and ranges of which matches meet one. */
export const MAX_ALTERNATIVES = 16;

/** A query with ranges and words. */
export interface SplitQuery {
  /** The words of the query, for the rank of matches. */
  readonly words: QueryNode;
  /** Matches meet one of the lists: parts of the query without ranges, and ranges. */
  readonly filter: SearchFilter;
}

/** Parts that a match must meet all. */
interface Alternative {
  readonly nodes: readonly QueryNode[];
  readonly ranges: readonly SearchCriterion[];
}

/**
 * Splits a query with ranges in groups or next to `OR` into alternatives: `orders OR (sales rowCount:>5)` is `orders`, or `sales` with
 * the range. `undefined` when there are more than {@link MAX_ALTERNATIVES}.
 */
export function splitQuery(
  { marked = '', ranges }: Pick<ReadRanges, 'marked' | 'ranges'>,
  fields: ReadonlyMap<string, SearchField>,
  synonyms?: Synonyms,
): SplitQuery | undefined {
  const tree = parseQuery(marked, fields, synonyms);
  const alternatives = split(tree, ranges, false);
  if (alternatives === undefined) return undefined;
  return {
    words: withoutRanges(tree) ?? { kind: 'all' },
    filter: alternatives.map(({ nodes, ranges: own }) => [
      ...nodes.map((query) => ({ condition: 'query', fields: [], negated: false, query }) as const),
      ...own,
    ]),
  };
}

function split(
  node: QueryNode,
  ranges: readonly SearchCriterion[],
  negated: boolean,
): readonly Alternative[] | undefined {
  if (!hasRange(node)) return [{ nodes: [negated ? complement(node) : node], ranges: [] }];
  switch (node.kind) {
    case 'not':
      return split(node.node, ranges, !negated);
    case 'and':
    case 'or': {
      const plain = node.nodes.filter((each) => !hasRange(each));
      const joined = plain.length === 0 ? [] : [node.kind === 'and' ? allOf(plain) : anyOf(plain)];
      const parts = [...joined, ...node.nodes.filter(hasRange)].map((each) => split(each, ranges, negated));
      return (node.kind === 'and') === negated ? either(parts) : both(parts);
    }
    default: {
      const range = ranges[rangeIn(node) ?? 0];
      return range === undefined
        ? undefined
        : [{ nodes: [], ranges: [{ ...range, negated: range.negated !== negated }] }];
    }
  }
}

type Parts = readonly (readonly Alternative[] | undefined)[];

function either(parts: Parts): readonly Alternative[] | undefined {
  const all = parts.flatMap((part) => part ?? []);
  return parts.includes(undefined) || all.length > MAX_ALTERNATIVES ? undefined : all;
}

function both(parts: Parts): readonly Alternative[] | undefined {
  return parts.reduce<readonly Alternative[] | undefined>(
    (before, part) => {
      if (before === undefined || part === undefined || before.length * part.length > MAX_ALTERNATIVES)
        return undefined;
      return before.flatMap((one) =>
        part.map((other) => ({
          nodes: [...one.nodes, ...other.nodes],
          ranges: [...one.ranges, ...other.ranges],
        })),
      );
    },
    [{ nodes: [], ranges: [] }],
  );
}

/** Removes the ranges; `undefined` when nothing is left. */
function withoutRanges(node: QueryNode): QueryNode | undefined {
  if (!hasRange(node)) return node;
  if (node.kind !== 'and' && node.kind !== 'or') return undefined;
  const nodes = node.nodes.flatMap((each) => withoutRanges(each) ?? []);
  return nodes.length > 1 ? { ...node, nodes } : nodes[0];
}

function hasRange(node: QueryNode): boolean {
  return listLeaves(node).some(({ leaf }) => rangeIn(leaf) !== undefined);
}

function rangeIn(node: QueryNode): number | undefined {
  return node.kind === 'exact' && node.field === RANGE_FIELD ? Number(node.token) : undefined;
}
