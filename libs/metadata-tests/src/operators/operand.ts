import { didYouMean, parseUrn } from '@stratalog/domain';
import type { JsonValue } from '@stratalog/json';
import type { Position, ValueKind } from '../paths/position';
import { show } from '../show';

const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;
const DURATION = /^(\d{1,6})([mhdw])$/;
const UNIT_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A parsed operand, or the fault that follows its path. */
export type Operand<Value> = { readonly value: Value } | { readonly fault: string };

export function readNumber(sent: JsonValue): Operand<number | bigint> {
  if (typeof sent === 'number' || typeof sent === 'bigint') return { value: sent };
  if (typeof sent !== 'string' || !DECIMAL.test(sent)) return { fault: `is no number: ${show(sent)}` };
  const value = Number(sent);
  return { value: /^-?\d+$/.test(sent) && !Number.isSafeInteger(value) ? BigInt(sent) : value };
}

/** Reads a duration: `30m`, `12h`, `7d` or `2w`. **Units**: milliseconds. */
export function readDuration(sent: JsonValue): Operand<number> {
  const [, digits, unit = ''] = typeof sent === 'string' ? (DURATION.exec(sent) ?? []) : [];
  const unitMs = UNIT_MS[unit];
  if (digits === undefined || unitMs === undefined) {
    return { fault: `is no duration such as 30m, 12h, 7d or 2w: ${show(sent)}` };
  }
  return { value: Number(digits) * unitMs };
}

export function readText(sent: JsonValue): Operand<string> {
  switch (typeof sent) {
    case 'string':
      return { value: sent };
    case 'number':
    case 'bigint':
    case 'boolean':
      return { value: String(sent) };
    default:
      return { fault: `is no text: ${show(sent)}` };
  }
}

/** Reads a value as a property of this kind has it: numbers and booleans may be sent as text. */
export function readValue(
  sent: JsonValue,
  kind: ValueKind,
  end: Position | { readonly kind: 'entity-type' },
): Operand<string | number | bigint | boolean> {
  if (kind === 'number') return readNumber(sent);
  if (kind === 'boolean') return readBoolean(sent);
  const text = readText(sent);
  if ('fault' in text) return text;
  const fault = findValueFault(text.value, end);
  return fault === undefined ? text : { fault };
}

function findValueFault(text: string, end: Position | { readonly kind: 'entity-type' }): string | undefined {
  if (end.kind === 'entity') return findUrnFault(text, end.types);
  if (end.kind === 'entity-type' || end.schema.kind !== 'enum') return undefined;
  const symbols = end.schema.symbols.map(({ name }) => name);
  return symbols.includes(text)
    ? undefined
    : `is no symbol of ${end.schema.name}: ${show(text)}${didYouMean(text, symbols)}`;
}

function findUrnFault(
  text: string,
  types: readonly { readonly name: string }[] | undefined,
): string | undefined {
  const parsed = parseUrn(text);
  if ('fault' in parsed) return `is no urn: ${show(text)}`;
  const { entityType } = parsed.urn;
  if (types === undefined || types.some(({ name }) => name.toLowerCase() === entityType.toLowerCase())) {
    return undefined;
  }
  const names = types.slice(0, 5).map(({ name }) => name);
  return `is a urn of ${entityType}, and the property has urns of ${names.join(', ')}`;
}

function readBoolean(sent: JsonValue): Operand<boolean> {
  if (typeof sent === 'boolean') return { value: sent };
  const text = typeof sent === 'string' ? sent.toLowerCase() : '';
  return text === 'true' || text === 'false'
    ? { value: text === 'true' }
    : { fault: `is neither true nor false: ${show(sent)}` };
}
