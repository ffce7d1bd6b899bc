/** The object of a stored document whose members are what it is ordered by. */
export const ORDER = 'order';

/** The object of a stored document whose members are the values that are counted. */
export const FACETS = 'facets';

/** A field of ours as a member of those objects. Dots would make objects of it. */
export function memberOf(field: string): string {
  return /^[A-Za-z0-9_]+$/.test(field) ? `n_${field}` : `x_${Buffer.from(field).toString('hex')}`;
}
