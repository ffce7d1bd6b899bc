import { didYouMean, isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import { dereferenced, type AspectType, type RecordSchema, type Schema } from '@stratalog/registry';

/** Input of a timeseries filter: the entity's urn, the members of the value and its system metadata. */
export interface FilteredTimeseriesValue {
  readonly urn: string;
  readonly members: JsonObject;
  readonly systemMetadata: JsonObject;
}

/** A field that a timeseries filter can compare. */
export interface TimeseriesFilterField {
  readonly kind: 'text' | 'number' | 'boolean';
  /** Returns the values of the field: none when it is absent, several for a list. */
  readonly readValues: (timeseriesValue: FilteredTimeseriesValue) => readonly JsonValue[];
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'long', 'float', 'double']);

/**
 * Resolves the field of a filter: a field of the aspect by its name or its indexed name, a nested field by a dotted
 * path, `urn`, or `runId` of the system metadata.
 */
export function toTimeseriesField(
  aspect: AspectType,
  sent: string,
): TimeseriesFilterField | { readonly fault: string } {
  const name = sent.endsWith('.keyword') ? sent.slice(0, -'.keyword'.length) : sent;
  if (name === 'urn') return { kind: 'text', readValues: ({ urn }) => [urn] };
  if (name === 'runId')
    return { kind: 'text', readValues: ({ systemMetadata }) => toList(systemMetadata.runId) };
  const path = toPath(aspect, name === '@timestamp' ? 'timestampMillis' : name);
  const type = findType(aspect.record, path);
  if (type === undefined) {
    const near = didYouMean(name, listFieldNames(aspect));
    return { fault: `${sent.slice(0, 100)} is no field of the timeseries aspect ${aspect.name}${near}` };
  }
  const kind = kindOf(type);
  if (kind === undefined) {
    return { fault: `${sent.slice(0, 100)} of the aspect ${aspect.name} holds no plain values to compare` };
  }
  return { kind, readValues: ({ members }) => toList(findValue(members, path)) };
}

function listFieldNames({ record, timeseries }: AspectType): readonly string[] {
  const fields = [...record.fields, ...(timeseries?.fields ?? [])];
  return [...fields.map((field) => field.name), 'urn', 'runId'];
}

/** A single name may be the indexed name of a field. */
function toPath({ timeseries }: AspectType, name: string): readonly string[] {
  const named = timeseries?.fields.find((field) => field.name === name);
  return named === undefined ? name.split('.') : [named.field];
}

function findType(record: RecordSchema, [first, ...rest]: readonly string[]): Schema | undefined {
  const type = record.fields.find(({ name }) => name === first)?.type;
  if (type === undefined || rest.length === 0) return type;
  const target = dereferenced(type);
  return target.kind === 'record' ? findType(target, rest) : undefined;
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

function findValue(value: JsonValue | undefined, [first, ...rest]: readonly string[]): JsonValue | undefined {
  if (first === undefined) return value;
  if (!isJsonObject(value) || !Object.hasOwn(value, first)) return undefined;
  return findValue(value[first], rest);
}

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.filter((each) => each !== null) : [value];
}
