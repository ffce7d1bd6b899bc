import { didYouMean } from '@stratalog/domain';
import type { JsonValue } from '@stratalog/json';
import type { EnumSchema, FixedSchema, Primitive } from '../schema/schema';
import { shown, type Check, type CheckRun } from './check-run';

const MAX_INT = 2 ** 31 - 1;
const MIN_INT = -(2 ** 31);
const MAX_LONG = 2n ** 63n - 1n;
const MIN_LONG = -(2n ** 63n);
/** Symbols that a fault lists. */
const SYMBOLS_SHOWN = 8;

/** Text without these characters is quoted unchanged. */
// eslint-disable-next-line no-control-regex -- control characters need an escape
const NOT_PLAIN = /["\\\u0000-\u001f\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
// eslint-disable-next-line no-control-regex -- every code point up to U+00FF is one byte
const NOT_BYTES = /[^\u0000-\u00ff]/;

export const primitiveChecks: Readonly<Record<Primitive, Check>> = {
  boolean: (value, run) =>
    typeof value === 'boolean' ? String(value) : run.fault(`must be a boolean, not ${shown(value)}`),
  int: (value, run) => {
    if (typeof value === 'number' && Number.isInteger(value) && value <= MAX_INT && value >= MIN_INT) {
      return String(value);
    }
    return run.fault(`must be a 32-bit integer, not ${shown(value)}`);
  },
  long: (value, run) => longText(value) ?? run.fault(`must be a 64-bit integer, not ${shown(value)}`),
  float: numberText,
  double: numberText,
  string: (value, run) =>
    typeof value === 'string' ? quoted(value, run) : run.fault(`must be a string, not ${shown(value)}`),
  bytes: (value, run) => bytesText(value, run) ?? run.fault(`must be a string of bytes, not ${shown(value)}`),
  null: (value, run) => (value === null ? 'null' : run.fault(`must be null, not ${shown(value)}`)),
};

/** Formats a string as JSON text. Rejects an unpaired surrogate, which has no UTF-8 form. */
export function quoted(text: string, run: CheckRun): string {
  if (!NOT_PLAIN.test(text)) return `"${text}"`;
  if (LONE_SURROGATE.test(text)) return run.fault('must not contain unpaired surrogates');
  return JSON.stringify(text);
}

export function enumCheck(schema: EnumSchema): Check {
  const texts = new Map<JsonValue, string>(schema.symbols.map(({ name }) => [name, JSON.stringify(name)]));
  const names = schema.symbols.map(({ name }) => name);
  const listed = names.slice(0, SYMBOLS_SHOWN).join(', ');
  const allowed = names.length > SYMBOLS_SHOWN ? `${listed} … (${String(names.length)} symbols)` : listed;
  return (value, run) => {
    const text = texts.get(value);
    if (text !== undefined) return text;
    const near = typeof value === 'string' ? didYouMean(value, names) : '';
    return run.fault(`must be one of ${allowed}, not ${shown(value)}${near}`);
  };
}

export function fixedCheck({ size }: FixedSchema): Check {
  return (value, run) => {
    const text = typeof value === 'string' && value.length === size ? bytesText(value, run) : undefined;
    return text ?? run.fault(`must be a string of exactly ${String(size)} bytes, not ${shown(value)}`);
  };
}

/** Formats bytes, which JSON represents as one character from U+0000 to U+00FF each. */
function bytesText(value: JsonValue, run: CheckRun): string | undefined {
  return typeof value === 'string' && !NOT_BYTES.test(value) ? quoted(value, run) : undefined;
}

/**
 * Formats the digits of a 64-bit integer. A double beyond 2^53 is written in full, because its shortest form rounds.
 */
function longText(value: JsonValue): string | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return String(value);
    return Number.isInteger(value) ? longText(BigInt(value)) : undefined;
  }
  if (typeof value !== 'bigint') return undefined;
  return value <= MAX_LONG && value >= MIN_LONG ? value.toString() : undefined;
}

function numberText(value: JsonValue, run: CheckRun): string {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return String(number);
  return run.fault(`must be a finite number, not ${shown(value)}`);
}
