import type { QueryNode, SearchField } from '@stratalog/domain';

/** A node that tests fields and contains no other nodes. */
export type QueryLeaf = Extract<
  QueryNode,
  { kind: 'word' | 'phrase' | 'infix' | 'exact' | 'exists' | 'completion' }
>;

/** Builds the node that any of the nodes meets; of none, nothing. */
export function anyOf(nodes: readonly QueryNode[]): QueryNode {
  const [first, second] = nodes;
  if (first === undefined) return { kind: 'none' };
  return second === undefined ? first : { kind: 'or', nodes };
}

/** Builds the node that all of the nodes meet; of none, anything. */
export function allOf(nodes: readonly QueryNode[]): QueryNode {
  const [first, second] = nodes;
  if (first === undefined) return { kind: 'all' };
  return second === undefined ? first : { kind: 'and', nodes };
}

/** Lists the leaves of a query that are not excluded, in order. */
export function positiveLeaves(query: QueryNode): readonly QueryLeaf[] {
  return listLeaves(query).flatMap(({ leaf, isExcluded }) => (isExcluded ? [] : [leaf]));
}

/** Selects the leaves that test a field, by its name or by default. */
export function selectLeaves(
  leaves: readonly QueryLeaf[],
  { name, queryByDefault }: SearchField,
): readonly QueryLeaf[] {
  return leaves.filter(({ field }) => (field === undefined ? queryByDefault : field === name));
}

/** Lists all leaves of a query in order, with their exclusion. */
export function listLeaves(
  query: QueryNode,
  isExcluded = false,
): readonly { readonly leaf: QueryLeaf; readonly isExcluded: boolean }[] {
  switch (query.kind) {
    case 'all':
    case 'none':
      return [];
    case 'and':
    case 'or':
      return query.nodes.flatMap((node) => listLeaves(node, isExcluded));
    case 'not':
      return listLeaves(query.node, !isExcluded);
    default:
      return [{ leaf: query, isExcluded }];
  }
}
