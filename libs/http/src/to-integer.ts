export interface IntegerBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

const DIGITS = /^[+-]?\d{1,16}$/;

/** A whole number within bounds, also when it came as text, as documented templates send times; else `undefined`. */
export function toInteger(value: unknown, bounds: IntegerBounds): number | undefined {
  const number = typeof value === 'string' && DIGITS.test(value.trim()) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined;
  if (number < (bounds.minimum ?? Number.MIN_SAFE_INTEGER)) return undefined;
  if (number > (bounds.maximum ?? Number.MAX_SAFE_INTEGER)) return undefined;
  return number;
}

/** What would have been right, for a refusal. */
export function describeInteger({ minimum, maximum }: IntegerBounds): string {
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `an integer from ${minimum} on`;
  return maximum === undefined ? 'an integer' : `an integer up to ${maximum}`;
}
