import type { TimeseriesField } from '@stratalog/domain';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import { compareTexts, readField, toPlainText, type ParsedTimeseriesValue } from './naive-filter';

/** Orders values by a field the plain way, and answers their timestamps. */
export function sortNaively(
  field: TimeseriesField,
  isDescending: boolean,
  values: readonly ParsedTimeseriesValue[],
): readonly number[] {
  return values
    .map((value) => ({ time: value.timestampMs, by: readField(field, value) }))
    .toSorted((a, b) => compareFields(a.by, b.by, isDescending) || b.time - a.time)
    .map(({ time }) => time);
}

function compareFields(a: JsonValue | undefined, b: JsonValue | undefined, isDescending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(toText(a), toText(b));
  return isDescending ? -order : order;
}

/** Stores order a list by its JSON. */
function toText(value: JsonValue): string {
  return Array.isArray(value)
    ? stringifyJson(value).replaceAll(String.raw`\u0000`, String.raw`\ufffd`)
    : toPlainText(value);
}
