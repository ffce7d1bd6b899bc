import { hash } from 'node:crypto';
import type { FieldValue, FilterKeys, SearchField } from '@stratalog/domain';
import { LRUCache } from 'lru-cache';
import { fieldKind } from './field-kinds';
import { isAscii, wholeStart } from './fold-text';

/**
 * Most filter values of a document. With the limits on its other tokens its word vector stays below what Postgres
 * allows.
 */
export const MAX_FILTER_VALUES_PER_DOCUMENT = 2_000;
/** Most characters of the filter keys of a document. */
export const MAX_KEY_CHARACTERS_PER_DOCUMENT = 128 * 1024;
/** Longest compared and ordered part of a value, in characters; equality compares the whole value. */
export const MAX_KEY_LENGTH = 2_048;

/**
 * Longest key of a substring criterion or range end, in characters. Engines build an automaton with a state for each
 * byte, and Lucene rejects some with more than 1,000.
 */
export const MAX_ASKED_KEY_LENGTH = 250;

/** Length of a token's digest: 120 bits of a SHA-1, so two values with one token cannot be constructed. */
const TOKEN_DIGITS = 20;

/**
 * Computes the filter keys of a document's fields. It serves fields with few values first: a long list never
 * displaces the others. Prose comes after all other fields: descriptions of columns never
 * displace their paths. Equality needs no key, so a value without one still has its token.
 *
 * **Order and repeats**: fields in the given order; distinct keys and tokens in the order of the values.
 */
export function toFilterKeys(
  fields: ReadonlyMap<string, readonly FieldValue[]>,
  searchFields: ReadonlyMap<string, SearchField>,
): Readonly<Record<string, FilterKeys>> {
  let valuesLeft = MAX_FILTER_VALUES_PER_DOCUMENT;
  let charactersLeft = MAX_KEY_CHARACTERS_PER_DOCUMENT;
  const kept = new Map<string, FilterKeys>();
  const rank = (name: string): number => Number(isProse(searchFields.get(name)));
  const inTurn = [...fields].sort(([a, own], [b, other]) => rank(a) - rank(b) || own.length - other.length);
  for (const [name, values] of inTurn) {
    const tokens = new Set<string>();
    const keys = new Set<string>();
    for (const value of values.slice(0, valuesLeft)) {
      valuesLeft--;
      tokens.add(toFilterToken(value));
      const key = toFilterKey(value);
      if (key.length > charactersLeft) continue;
      charactersLeft -= key.length;
      keys.add(key);
    }
    kept.set(name, { tokens: [...tokens], keys: [...keys] });
  }
  return Object.fromEntries([...fields.keys()].map((name) => [name, kept.get(name) ?? NOTHING]));
}

/** True for a field of texts that weigh little, as descriptions of columns. */
function isProse(field: SearchField | undefined): boolean {
  return field !== undefined && field.boost < 1 && fieldKind(field) === 'text';
}

const NOTHING: FilterKeys = { tokens: [], keys: [] };

/** Token of any field with a value. */
export const ANY_FILTER_TOKEN = 'V';

/** Computes the token of an exact value: equal for equal values only, and for equal numbers of any form. */
export function toFilterToken(value: FieldValue): string {
  const text = typeof value === 'string' ? value : toFilterKey(value);
  return text.length > MAX_CACHED_LENGTH ? digest(text) : tokenCache.memo(text);
}

const MAX_CACHED = 5_000;
const MAX_CACHED_LENGTH = 64;
// A cache without effect on results: tags, owners, platforms and folders repeat.
const tokenCache = new LRUCache<string, string>({ max: MAX_CACHED, memoMethod: digest });

function digest(text: string): string {
  return ANY_FILTER_TOKEN + hash('sha1', text, 'base64url').slice(0, TOKEN_DIGITS);
}

/**
 * Computes the comparable form of a value, ordered by its UTF-8 bytes: texts ignoring case and compatibility forms,
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

/** Replaces a NUL by the replacement character, because Postgres stores no NUL. */
function textKey(text: string): string {
  const start = text.slice(0, MAX_KEY_LENGTH);
  if (isAscii(start)) return start.toLowerCase().replaceAll('\u0000', '\ufffd');
  const folded = start.normalize('NFKC').toLowerCase();
  return wholeStart(folded.replaceAll('ς', 'σ').replaceAll('\u0000', '\ufffd').slice(0, MAX_KEY_LENGTH));
}

const INT64_BIAS = 2n ** 63n;

/**
 * Formats the bits of the nearest double so that their hex digits have the order of the numbers. The whole number
 * follows, which distinguishes integers with the same double.
 */
function numberKey(value: number | bigint): string {
  const near = Buffer.alloc(8);
  near.writeDoubleBE(Number(value) + 0);
  let bits = near.readBigUInt64BE();
  bits = bits >> 63n === 1n ? ~bits & (2n ** 64n - 1n) : bits + INT64_BIAS;
  return bits.toString(16).padStart(16, '0') + wholePart(value);
}

/**
 * Formats a whole number in 17 digits, clamped to one below the smallest and one above the greatest 64-bit integer.
 */
function wholePart(value: number | bigint): string {
  if (typeof value === 'number' && !Number.isInteger(value)) return '';
  const whole = BigInt(value);
  const bounded = whole < -INT64_BIAS ? -INT64_BIAS - 1n : whole > INT64_BIAS - 1n ? INT64_BIAS : whole;
  return (bounded + INT64_BIAS + 1n).toString(16).padStart(17, '0');
}
