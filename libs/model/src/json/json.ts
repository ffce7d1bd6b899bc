import { isSafeNumber, parse as parseLossless } from 'lossless-json';

/**
 * A JSON value in memory. Numbers are `number` unless that would lose digits of an integer: those are `bigint`,
 * so that 64-bit integers survive a round trip.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [member: string]: JsonValue;
}

/** Text that is already JSON, to be embedded in a larger document as it stands. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** What {@link stringifyJson} writes: JSON values with raw parts in between; `undefined` members are left out. */
export type JsonOutput =
  null | boolean | number | bigint | string | RawJson | readonly JsonOutput[] | JsonOutputObject;
export interface JsonOutputObject {
  readonly [member: string]: JsonOutput | undefined;
}

/** Sixteen digits in a row are the shortest integer that a double may not hold; below that `JSON.parse` is exact. */
const LONG_DIGITS = /\d{16}/;
const INTEGER = /^-?\d+$/;

/**
 * Reads JSON text without losing digits of integers.
 *
 * **Errors**: `SyntaxError` when the text is not JSON.
 */
export function parseJson(text: string): JsonValue {
  if (!LONG_DIGITS.test(text)) return JSON.parse(text) as JsonValue;
  return parseLossless(text, null, parseNumber) as JsonValue;
}

function parseNumber(literal: string): number | bigint {
  if (!INTEGER.test(literal) || isSafeNumber(literal)) return Number(literal);
  return BigInt(literal);
}

/** Writes JSON text, `bigint`s as plain digits and raw parts as they stand. */
export function stringifyJson(value: JsonOutput): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'object':
      break;
    default:
      return JSON.stringify(value);
  }
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`;
  let text = '';
  for (const [member, inner] of Object.entries(value as JsonOutputObject)) {
    if (inner === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(member)}:${stringifyJson(inner)}`;
  }
  return `{${text}}`;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
