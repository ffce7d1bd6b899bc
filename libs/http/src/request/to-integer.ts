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

const LONG_DIGITS = /^[+-]?\d{1,19}$/;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * A whole number of 64 bits, also when it came as text; else `undefined`. One that is larger than 2^53 - 1 counts as that, and one that is
 * smaller than the negative of it likewise: clients send the ends of the range where they mean no end.
 */
export function toLong(value: unknown, bounds: Pick<IntegerBounds, 'minimum'> = {}): number | undefined {
  const isText = typeof value === 'string' && LONG_DIGITS.test(value.trim());
  const long = isText ? BigInt(value.trim().replace('+', '')) : value;
  if (typeof long !== 'bigint') return toInteger(value, bounds);
  if (BigInt.asIntN(64, long) !== long) return undefined;
  return toInteger(Number(long > SAFE ? SAFE : long < -SAFE ? -SAFE : long), bounds);
}

/** What would have been right, for a rejection. */
export function describeInteger({ minimum, maximum }: IntegerBounds): string {
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `an integer from ${minimum} on`;
  return maximum === undefined ? 'an integer' : `an integer up to ${maximum}`;
}
