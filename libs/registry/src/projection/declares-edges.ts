import type { AspectType } from '../model/entity-registry';

/** Returns whether values of the aspect can declare edges. */
export function declaresEdges({ relationships, columnLinks }: AspectType): boolean {
  return relationships.length > 0 || columnLinks.length > 0;
}

/** Returns whether values of the aspect can declare lineage. */
export function declaresLineage({ relationships, columnLinks }: AspectType): boolean {
  return columnLinks.length > 0 || relationships.some(({ isLineage }) => isLineage);
}
