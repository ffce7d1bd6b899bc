export interface IntegerBounds {
  readonly minimum?: number;
  readonly maximum?: number;
}

const DIGITS = /^[+-]?\d{1,16}$/;

/**
 * Converts a whole number within bounds, or its digits as text, as documented templates send times; else
 * `undefined`.
 */
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
 * Converts a whole 64-bit number, or its digits as text; else `undefined`. Values beyond ±(2^53 - 1) are
 * clamped: clients send the ends of the 64-bit range to mean "no bound".
 */
export function toLong(value: unknown, bounds: Pick<IntegerBounds, 'minimum'> = {}): number | undefined {
  const isText = typeof value === 'string' && LONG_DIGITS.test(value.trim());
  const long = isText ? BigInt(value.trim().replace('+', '')) : value;
  if (typeof long !== 'bigint') return toInteger(value, bounds);
  if (BigInt.asIntN(64, long) !== long) return undefined;
  return toInteger(Number(long > SAFE ? SAFE : long < -SAFE ? -SAFE : long), bounds);
}

/** Describes the accepted values, for a rejection. */
export function describeInteger({ minimum, maximum }: IntegerBounds): string {
  if (minimum !== undefined && maximum !== undefined) return `an integer from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `an integer from ${minimum} on`;
  return maximum === undefined ? 'an integer' : `an integer up to ${maximum}`;
}
