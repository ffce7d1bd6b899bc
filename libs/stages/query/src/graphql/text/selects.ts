import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';

/** True when a field is selected of the object that is being resolved, also by a fragment. */
export function selects({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const seen = new Set<string>();
  const isIn = (set: SelectionSetNode | undefined): boolean =>
    (set?.selections ?? []).some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === name;
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIn(selection.selectionSet);
      const fragment = selection.name.value;
      if (seen.has(fragment)) return false;
      seen.add(fragment);
      return isIn(fragments[fragment]?.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }: FieldNode) => isIn(selectionSet));
}
