import type { estypes } from '@elastic/elasticsearch';
import type { FieldOrder, FilterKeys } from '@stratalog/domain';
import { compareKeys } from '@stratalog/search-text';
import { ORDER, toMember } from '../engine/field-members';

/**
 * Selects the lowest and the highest key of each field, the only keys that an order compares.
 *
 * **Shape**: member names contain no dots, so that the engine treats each as one field.
 */
export function toOrderKeys(
  filters: Readonly<Record<string, FilterKeys>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([field, { keys }]) => {
      const [first] = keys;
      if (first === undefined) return [];
      const lowest = keys.reduce((a, b) => (compareKeys(b, a) < 0 ? b : a), first);
      const highest = keys.reduce((a, b) => (compareKeys(b, a) > 0 ? b : a), first);
      return [[toMember(field), lowest === highest ? [lowest] : [lowest, highest]]];
    }),
  );
}

/** Builds the sort of an order: by the fields, then by urn. */
export function buildSort(order: readonly FieldOrder[]): estypes.Sort {
  return [
    ...order.map(({ field, isDescending }) => ({
      [`${ORDER}.${toMember(field)}`]: {
        order: isDescending ? ('desc' as const) : ('asc' as const),
        mode: isDescending ? ('max' as const) : ('min' as const),
        missing: '_last',
        // No document has a value in this field.
        unmapped_type: 'keyword' as const,
      },
    })),
    { urn: { order: 'asc', unmapped_type: 'keyword' } },
  ];
}
