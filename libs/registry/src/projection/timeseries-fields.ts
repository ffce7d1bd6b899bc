import type { TimeseriesField } from '@stratalog/domain';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import type { AspectType } from '../model/entity-registry';
import { dereferenced, type RecordSchema, type Schema } from '../schema/schema';

/** A field that statistics group by or aggregate. */
export interface StatisticsField {
  readonly field: TimeseriesField;
  /** Name of its type in the model: `int`, `string`, `enum`, `array`. */
  readonly type: string;
}

export const NUMBER_TYPES: ReadonlySet<string> = new Set(['int', 'long', 'float', 'double']);

export const TIMESTAMP: TimeseriesField = { source: 'timestamp', path: [], kind: 'number' };

/**
 * Lists the fields of statistics of a timeseries aspect by name: those that the model annotates, the keys and fields of
 * collections after a dot, and those that every timeseries value has.
 */
export function listStatisticsFields(aspect: AspectType): ReadonlyMap<string, StatisticsField> {
  const { fields = [], collections = [] } = aspect.timeseries ?? {};
  return new Map<string, StatisticsField>([
    ...listCommonFields(aspect),
    ...fields.map(({ name, field, type }): [string, StatisticsField] => [
      name,
      inValue(aspect, [field], type),
    ]),
    ...collections.flatMap(({ name, field, key, fields: members }): [string, StatisticsField][] => [
      [`${name}.${key}`, inElement(keyPath(aspect, field, key), 'text', 'string')],
      ...members.map((member): [string, StatisticsField] => [
        `${name}.${member.name}`,
        inElement([field, member.field], toKind(member.type), typeName(member.type)),
      ]),
    ]),
  ]);
}

function listCommonFields(aspect: AspectType): readonly [string, StatisticsField][] {
  const paths = ['eventGranularity', 'messageId', 'partitionSpec.partition', 'partitionSpec.timePartition'];
  return [
    ['timestampMillis', { field: TIMESTAMP, type: 'long' }],
    ['urn', { field: { source: 'urn', path: [], kind: 'text' }, type: 'string' }],
    ...paths.flatMap((name): [string, StatisticsField][] => {
      const path = name.split('.');
      const type = findType(aspect.record, path);
      return type === undefined ? [] : [[name, inValue(aspect, path, type)]];
    }),
  ];
}

function inValue({ record }: AspectType, path: readonly string[], type: Schema): StatisticsField {
  return {
    field: { source: 'value', path, kind: toKind(type), ...readDefault(record, path) },
    type: typeName(type),
  };
}

function inElement(path: readonly string[], kind: TimeseriesField['kind'], type: string): StatisticsField {
  return { field: { source: 'element', path, kind }, type };
}

/** Plain elements are their own key. */
function keyPath({ record }: AspectType, list: string, key: string): readonly string[] {
  const type = record.fields.find(({ name }) => name === list)?.type;
  const items = type === undefined ? undefined : dereferenced(type);
  const isRecord = items?.kind === 'array' && dereferenced(items.items).kind === 'record';
  return isRecord ? [list, key] : [list];
}

function findType(schema: Schema, [first, ...rest]: readonly string[]): Schema | undefined {
  if (first === undefined) return schema;
  const record = dereferenced(schema);
  const field = record.kind === 'record' ? record.fields.find(({ name }) => name === first) : undefined;
  return field === undefined ? undefined : findType(field.type, rest);
}

/** Statistics take a list as one value. */
function toKind(type: Schema): TimeseriesField['kind'] {
  return dereferenced(type).kind === 'array' ? 'json' : (plainKind(type) ?? 'json');
}

function typeName(schema: Schema): string {
  const type = dereferenced(schema);
  return type.kind === 'primitive' ? type.name : type.kind;
}

/** The default of an absent field of the record, or the part of it that the path names. */
export function readDefault(
  { fields }: RecordSchema,
  [first, ...rest]: readonly string[],
): Pick<TimeseriesField, 'fallback'> {
  const value = findMember(fields.find(({ name }) => name === first)?.default, rest);
  if (value === undefined || value === null || typeof value === 'object') return {};
  return { fallback: typeof value === 'string' ? value : stringifyJson(value) };
}

/** How values of a type compare, each element of a list by itself; `undefined` when they are no plain values. */
export function plainKind(schema: Schema): Exclude<TimeseriesField['kind'], 'json'> | undefined {
  const type = dereferenced(schema);
  if (type.kind === 'array') {
    const items = dereferenced(type.items);
    return items.kind === 'array' ? undefined : plainKind(items);
  }
  if (type.kind === 'enum') return 'text';
  if (type.kind !== 'primitive') return undefined;
  if (type.name === 'boolean') return 'boolean';
  return NUMBER_TYPES.has(type.name) ? 'number' : 'text';
}

function findMember(
  value: JsonValue | undefined,
  [first, ...rest]: readonly string[],
): JsonValue | undefined {
  if (first === undefined) return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, first)
    ? findMember((value as Record<string, JsonValue>)[first], rest)
    : undefined;
}
