import { isSafeNumber, parse as parseLossless } from 'lossless-json';

/**
 * A JSON value in memory. Integers that a `number` cannot hold exactly are `bigint`, so 64-bit integers survive a
 * round trip.
 */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [member: string]: JsonValue;
}

/** JSON text that {@link stringifyJson} embeds unchanged in a larger document. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Input of {@link stringifyJson}: JSON values with raw parts. It omits `undefined` members. */
export type JsonOutput =
  null | boolean | number | bigint | string | RawJson | readonly JsonOutput[] | JsonOutputObject;
export interface JsonOutputObject {
  readonly [member: string]: JsonOutput | undefined;
}

/**
 * An integer that a double cannot hold has at least sixteen digits. `JSON.parse` is exact for any text without such a
 * run of digits.
 */
const LONG_DIGITS = /\d{16}/;
const INTEGER = /^-?\d+$/;

/**
 * Parses JSON text and keeps all digits of integers.
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

/** Writes JSON text: `bigint`s as plain digits, raw parts unchanged. */
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
