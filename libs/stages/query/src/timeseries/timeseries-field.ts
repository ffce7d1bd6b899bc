import { didYouMean, isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import { dereferenced, type AspectType, type RecordSchema, type Schema } from '@stratalog/registry';

/** Of a point: who has it, and what its value says. */
export interface FilteredTimeseriesValue {
  readonly urn: string;
  readonly members: JsonObject;
  readonly systemMetadata: JsonObject;
}

/** A field by which points can be compared. */
export interface TimeseriesFilterField {
  readonly kind: 'text' | 'number' | 'boolean';
  /** None where the point does not have it, several for a list. */
  readonly valuesOf: (timeseriesValue: FilteredTimeseriesValue) => readonly JsonValue[];
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'long', 'float', 'double']);

/**
 * The field that a filter names: one of the aspect by its name, or the name that it is indexed under; one within a record by a path with
 * dots; `urn`, or `runId` of the system metadata.
 */
export function toTimeseriesField(
  aspect: AspectType,
  asked: string,
): TimeseriesFilterField | { readonly fault: string } {
  const name = asked.endsWith('.keyword') ? asked.slice(0, -'.keyword'.length) : asked;
  if (name === 'urn') return { kind: 'text', valuesOf: ({ urn }) => [urn] };
  if (name === 'runId')
    return { kind: 'text', valuesOf: ({ systemMetadata }) => splitParts(systemMetadata.runId) };
  const path = pathOf(aspect, name === '@timestamp' ? 'timestampMillis' : name);
  const type = typeAt(aspect.record, path);
  if (type === undefined) {
    const near = didYouMean(name, fieldNamesOf(aspect));
    return { fault: `${asked.slice(0, 100)} is no field of the timeseries aspect ${aspect.name}${near}` };
  }
  const kind = kindOf(type);
  if (kind === undefined) {
    return { fault: `${asked.slice(0, 100)} of the aspect ${aspect.name} holds no plain values to compare` };
  }
  return { kind, valuesOf: ({ members }) => splitParts(valueAt(members, path)) };
}

function fieldNamesOf({ record, timeseries }: AspectType): readonly string[] {
  const fields = [...record.fields, ...(timeseries?.fields ?? [])];
  return [...fields.map((field) => field.name), 'urn', 'runId'];
}

/** A name of its own is that of a field of the aspect. */
function pathOf({ timeseries }: AspectType, name: string): readonly string[] {
  const named = timeseries?.fields.find((field) => field.name === name);
  return named === undefined ? name.split('.') : [named.field];
}

function typeAt(record: RecordSchema, [first, ...rest]: readonly string[]): Schema | undefined {
  const type = record.fields.find(({ name }) => name === first)?.type;
  if (type === undefined || rest.length === 0) return type;
  const target = dereferenced(type);
  return target.kind === 'record' ? typeAt(target, rest) : undefined;
}

function kindOf(schema: Schema): TimeseriesFilterField['kind'] | undefined {
  const type = dereferenced(schema);
  if (type.kind === 'array') {
    const items = dereferenced(type.items);
    return items.kind === 'array' ? undefined : kindOf(items);
  }
  if (type.kind === 'enum') return 'text';
  if (type.kind !== 'primitive') return undefined;
  if (type.name === 'boolean') return 'boolean';
  return NUMBERS.has(type.name) ? 'number' : 'text';
}

function valueAt(value: JsonValue | undefined, [first, ...rest]: readonly string[]): JsonValue | undefined {
  if (first === undefined) return value;
  if (!isJsonObject(value) || !Object.hasOwn(value, first)) return undefined;
  return valueAt(value[first], rest);
}

function splitParts(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.filter((each) => each !== null) : [value];
}
