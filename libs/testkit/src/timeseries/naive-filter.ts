import type { TimeseriesField } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { ComparedValue, TimeseriesCriterion, TimeseriesFilter, TimeseriesTest } from '@stratalog/ports';

/** A stored timeseries value, parsed. */
export interface ParsedTimeseriesValue {
  readonly urn: string;
  readonly timestampMs: number;
  readonly members: JsonObject;
  readonly systemMetadata: JsonObject;
}

/** Tests a value the plain way. */
export function passesFilter(filter: TimeseriesFilter | undefined, value: ParsedTimeseriesValue): boolean {
  return filter?.some((list) => list.every((criterion) => passesCriterion(criterion, value))) ?? true;
}

function passesCriterion(
  { field, test, negated }: TimeseriesCriterion,
  value: ParsedTimeseriesValue,
): boolean {
  const whole = readField(field, value);
  const list = field.isList === true ? toElements(whole) : [whole];
  return list.some((each) => each !== undefined && passesTest(test, each)) !== negated;
}

export function toElements(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value.filter((each) => each !== null) : [];
}

/** Reads a field of a value, or of one of its elements; `undefined` when it has none. */
export function readField(
  { source, path, fallback, kind }: TimeseriesField,
  { urn, timestampMs, members, systemMetadata }: ParsedTimeseriesValue,
  element?: JsonValue,
): JsonValue | undefined {
  switch (source) {
    case 'urn':
      return urn;
    case 'timestamp':
      return timestampMs;
    case 'system-metadata':
      return findValue(systemMetadata, path);
    case 'value':
      return (
        findValue(members, path) ??
        (kind === 'number' && fallback !== undefined ? parseJson(fallback) : fallback)
      );
    case 'element':
      return findValue(element, path.slice(1));
    default:
      return source satisfies never;
  }
}

function findValue(value: JsonValue | undefined, [first, ...rest]: readonly string[]): JsonValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (first === undefined) return value;
  return isJsonObject(value) ? findValue(value[first], rest) : undefined;
}

export function toPlainText(value: JsonValue): string {
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd') : stringifyJson(value);
}

function passesTest(test: TimeseriesTest, value: JsonValue): boolean {
  const text = toPlainText(value).toLowerCase();
  const anyPart = (holds: (part: string) => boolean): boolean =>
    'parts' in test && test.parts.some((part) => holds(toPlainText(part).toLowerCase()));
  switch (test.kind) {
    case 'exists':
      return true;
    case 'one-of':
      return test.values.some((each) => compare(value, each) === 0);
    case 'equal':
      return anyPart((part) => text === part);
    case 'contain':
      return anyPart((part) => text.includes(part));
    case 'start':
      return anyPart((part) => text.startsWith(part));
    case 'end':
      return anyPart((part) => text.endsWith(part));
    case 'range': {
      const { low, high } = test;
      const above = low === undefined ? 1 : compare(value, low.value);
      const below = high === undefined ? -1 : compare(value, high.value);
      return (
        (above > 0 || (above === 0 && low?.isIncluded === true)) &&
        (below < 0 || (below === 0 && high?.isIncluded === true))
      );
    }
    default:
      return test satisfies never;
  }
}

/** Negative, 0 or positive; whole numbers compare exactly, texts by code point. */
function compare(value: JsonValue, wanted: ComparedValue): number {
  if (typeof wanted === 'string') return compareTexts(toPlainText(value), toPlainText(wanted));
  if (typeof value !== 'number' && typeof value !== 'bigint') return Number.NaN;
  return value < wanted ? -1 : value > wanted ? 1 : 0;
}

export function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
