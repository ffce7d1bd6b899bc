import { isJsonObject, type JsonObject } from '@stratalog/json';
import type { ModelWarnings, OptionNames } from './model-warnings';
import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema/schema';
import { errorAt } from '../pdl/source-file';

/** The fields of a timeseries aspect for filters, groups and sums. */
export interface TimeseriesFields {
  readonly fields: readonly TimeseriesField[];
  readonly collections: readonly TimeseriesCollection[];
}

interface TimeseriesField {
  /** Name of the record's field. */
  readonly field: string;
  /** Name of the field in queries. */
  readonly name: string;
  /** Default aggregation of several values: `LATEST` unless annotated. */
  readonly aggregation: string;
  readonly type: Schema;
  /** True for DATETIME: a number that is a time. */
  readonly isTime: boolean;
}

/** A list whose elements are timeseries values of their own, identified by a key. */
interface TimeseriesCollection {
  readonly field: string;
  readonly name: string;
  /** Field that identifies an element; plain elements identify themselves. */
  readonly key: string;
  readonly fields: readonly TimeseriesField[];
}

const FIELD_OPTIONS: OptionNames = { effective: new Set(['name', 'fieldType', 'aggregationType']) };
const COLLECTION_OPTIONS: OptionNames = { effective: new Set(['name', 'key']) };

/**
 * Reads the `@TimeseriesField` and `@TimeseriesFieldCollection` annotations of a timeseries aspect.
 *
 * **Errors**: `InvalidModelError` for a timeseries aspect without `timestampMillis`, for a collection that is no
 * list, and for one without a key or whose elements lack the key.
 *
 * **Source**: `models/README.md`, Read a file.
 */
export function readTimeseriesFields(record: RecordSchema, warnings: ModelWarnings): TimeseriesFields {
  if (!record.fields.some(({ name, type }) => name === 'timestampMillis' && isLong(type))) {
    throw errorAt(record.origin, `the timeseries aspect ${record.name} needs a field timestampMillis: long`);
  }
  return {
    fields: readFields(record, warnings),
    collections: record.fields.flatMap((field) => {
      const options = toOptions(field, 'TimeseriesFieldCollection');
      return options === undefined ? [] : [readCollection(field, options, warnings)];
    }),
  };
}

/** Warns of timeseries annotations in a versioned aspect, where they have no effect. */
export function warnOfTimeseries(record: RecordSchema, warnings: ModelWarnings): void {
  for (const { annotations, origin } of record.fields) {
    for (const name of ['TimeseriesField', 'TimeseriesFieldCollection']) {
      if (annotations[name] !== undefined)
        warnings.warn(`@${name}: has no effect in ${record.name}, which is no timeseries aspect`, origin);
    }
  }
}

function isLong(type: Schema): boolean {
  const target = dereferenced(type);
  return target.kind === 'primitive' && target.name === 'long';
}

function readFields(record: RecordSchema, warnings: ModelWarnings): readonly TimeseriesField[] {
  return record.fields.flatMap((field) => {
    const options = toOptions(field, 'TimeseriesField');
    if (options === undefined) return [];
    warnings.options('TimeseriesField', options, FIELD_OPTIONS, field.origin);
    const { aggregationType = 'LATEST' } = options;
    return {
      field: field.name,
      name: readName(options, field),
      aggregation: typeof aggregationType === 'string' ? aggregationType : 'LATEST',
      type: field.type,
      isTime: options.fieldType === 'DATETIME',
    };
  });
}

function readCollection(
  field: FieldSchema,
  options: JsonObject,
  warnings: ModelWarnings,
): TimeseriesCollection {
  warnings.options('TimeseriesFieldCollection', options, COLLECTION_OPTIONS, field.origin);
  const list = dereferenced(field.type);
  if (list.kind !== 'array') throw errorAt(field.origin, '@TimeseriesFieldCollection: expected an array');
  const { key } = options;
  if (typeof key !== 'string' || key === '') {
    throw errorAt(field.origin, '@TimeseriesFieldCollection: expected a key');
  }
  const element = dereferenced(list.items);
  if (element.kind === 'record' && !element.fields.some(({ name }) => name === key)) {
    throw errorAt(field.origin, `@TimeseriesFieldCollection: ${element.name} has no field ${key}`);
  }
  return {
    field: field.name,
    name: readName(options, field),
    key,
    fields: element.kind === 'record' ? readFields(element, warnings) : [],
  };
}

function readName({ name }: JsonObject, field: FieldSchema): string {
  return typeof name === 'string' && name !== '' ? name : field.name;
}

function toOptions({ annotations, origin }: FieldSchema, name: string): JsonObject | undefined {
  const annotation = annotations[name];
  if (annotation === undefined) return undefined;
  if (annotation === true) return {};
  if (isJsonObject(annotation)) return annotation;
  throw errorAt(origin, `@${name}: expected a JSON object`);
}
