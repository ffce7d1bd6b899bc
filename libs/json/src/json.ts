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
  | null
  | boolean
  | number
  | bigint
  | string
  | RawJson
  | readonly JsonOutput[]
  | JsonOutputObject;
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
  // Four times as fast as the steps below.
  return isNative(value) ? JSON.stringify(value) : stringifyParts(value);
}

/** Returns true for values without `bigint`s and raw parts. */
function isNative(value: JsonOutput | undefined): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (value instanceof RawJson) return false;
  return Object.values(value as JsonOutputObject).every(isNative);
}

function stringifyParts(value: JsonOutput): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(stringifyParts).join(',')}]`;
  let text = '';
  for (const [member, inner] of Object.entries(value as JsonOutputObject)) {
    if (inner === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(member)}:${stringifyParts(inner)}`;
  }
  return `{${text}}`;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
