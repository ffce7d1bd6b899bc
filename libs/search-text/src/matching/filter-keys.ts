import { hash } from 'node:crypto';
import type { FieldValue, FilterKeys } from '@stratalog/model';

/** So many values of a document can be filtered by. With the limits on its other tokens its word vector stays below what Postgres allows. */
export const MAX_FILTER_VALUES_PER_DOCUMENT = 2_000;
/** So many characters of their keys are kept. */
export const MAX_KEY_CHARACTERS_PER_DOCUMENT = 64 * 1024;
/** So much of a value is compared and ordered; that it equals another is told of all of it. */
export const MAX_KEY_LENGTH = 2_048;

/**
 * Keys that a filter looks for within others, and ends of ranges, are no longer. Engines build an automaton of such a key, a state for
 * each byte, and Lucene rejects some with more than 1,000.
 */
export const MAX_ASKED_KEY_LENGTH = 250;

/** Cuts a SHA-1 to 120 bits, which nobody can make two values share. */
const TOKEN_DIGITS = 20;

/**
 * What filters and orders see of a document's fields. Fields with few values are served first: a long list never costs the others.
 *
 * **Order and repeats**: fields in the given order, keys and tokens in that of the values, each once.
 */
export function toFilterKeys(
  fields: ReadonlyMap<string, readonly FieldValue[]>,
): Readonly<Record<string, FilterKeys>> {
  let valuesLeft = MAX_FILTER_VALUES_PER_DOCUMENT;
  let charactersLeft = MAX_KEY_CHARACTERS_PER_DOCUMENT;
  const kept = new Map<string, FilterKeys>();
  for (const [name, values] of [...fields].sort(([, a], [, b]) => a.length - b.length)) {
    const tokens = new Set<string>();
    const keys = new Set<string>();
    for (const value of values.slice(0, valuesLeft)) {
      const key = toFilterKey(value);
      if (key.length > charactersLeft) break;
      charactersLeft -= key.length;
      valuesLeft--;
      tokens.add(toFilterToken(value));
      keys.add(key);
    }
    kept.set(name, { tokens: [...tokens], keys: [...keys] });
  }
  return Object.fromEntries([...fields.keys()].map((name) => [name, kept.get(name) ?? NOTHING]));
}

const NOTHING: FilterKeys = { tokens: [], keys: [] };

/** The token of a field that has a value, whichever. */
export const ANY_FILTER_TOKEN = 'V';

/** Stands for a value exactly as it is: equal for equal values only, and for equal numbers of any form. */
export function toFilterToken(value: FieldValue): string {
  const text = typeof value === 'string' ? value : toFilterKey(value);
  return ANY_FILTER_TOKEN + hash('sha1', text, 'base64url').slice(0, TOKEN_DIGITS);
}

/**
 * The form in which values are compared and ordered, by the bytes of its UTF-8: texts without regard to case and compatibility forms,
 * numbers by their size.
 */
export function toFilterKey(value: FieldValue): string {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return numberKey(value);
    case 'boolean':
      return String(value);
    case 'string':
      return textKey(value);
    default:
      return value satisfies never;
  }
}

/** A NUL stands as the sign for what cannot be shown, because Postgres holds none. */
function textKey(text: string): string {
  const folded = text.slice(0, MAX_KEY_LENGTH).normalize('NFKC').toLowerCase();
  return wholeStart(folded.replaceAll('ς', 'σ').replaceAll('\u0000', '\ufffd').slice(0, MAX_KEY_LENGTH));
}

/** Never ends in the first half of a surrogate pair. */
function wholeStart(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

const INT64_BIAS = 2n ** 63n;

/**
 * The bits of the nearest double, turned so that their hex digits stand in the order of the numbers, and behind them the whole number
 * itself, which tells integers apart that share a double.
 */
function numberKey(value: number | bigint): string {
  const near = Buffer.alloc(8);
  near.writeDoubleBE(Number(value) + 0);
  let bits = near.readBigUInt64BE();
  bits = bits >> 63n === 1n ? ~bits & (2n ** 64n - 1n) : bits + INT64_BIAS;
  return bits.toString(16).padStart(16, '0') + wholePart(value);
}

/** From one below the smallest 64-bit integer to one above the greatest, in 17 digits. */
function wholePart(value: number | bigint): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return '';
  const whole = BigInt(value);
  const bounded = whole < -INT64_BIAS ? -INT64_BIAS - 1n : whole > INT64_BIAS - 1n ? INT64_BIAS : whole;
  return (bounded + INT64_BIAS + 1n).toString(16).padStart(17, '0');
}
