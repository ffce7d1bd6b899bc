/** Name of the object in a stored document whose members are the keys of orders. */
export const ORDER = 'order';

/** Name of the object in a stored document whose members are the counted values. */
export const FACETS = 'facets';

/** Converts a field name to a member of those objects. Dots would create nested objects. */
export function toMember(field: string): string {
  return /^[A-Za-z0-9_]+$/.test(field) ? `n_${field}` : `x_${Buffer.from(field).toString('hex')}`;
}
