import type { estypes } from '@elastic/elasticsearch';
import type { FieldOrder, FilterKeys } from '@stratalog/model';
import { compareKeys } from '@stratalog/search-text';
import { ORDER, memberOf } from '../engine/field-members';

/**
 * By field the lowest and the highest key, which is what an order can ask for.
 *
 * **Shape**: members are named so that the engine takes them for plain names.
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
      return [[memberOf(field), lowest === highest ? [lowest] : [lowest, highest]]];
    }),
  );
}

/** By the fields, then by urn. */
export function sortOf(order: readonly FieldOrder[]): estypes.Sort {
  return [
    ...order.map(({ field, isDescending }) => ({
      [`${ORDER}.${memberOf(field)}`]: {
        order: isDescending ? ('desc' as const) : ('asc' as const),
        mode: isDescending ? ('max' as const) : ('min' as const),
        missing: '_last',
        // Nothing of the type has a value there.
        unmapped_type: 'keyword' as const,
      },
    })),
    { urn: { order: 'asc', unmapped_type: 'keyword' } },
  ];
}
