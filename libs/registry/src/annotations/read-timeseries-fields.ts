import { isJsonObject, type JsonObject } from '@stratalog/model';
import type { ModelWarnings, OptionNames } from './model-warnings';
import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema/schema';
import { errorAt } from '../pdl/source-file';

/** What of a timeseries aspect can be filtered, grouped and summed. */
export interface TimeseriesFields {
  readonly fields: readonly TimeseriesField[];
  readonly collections: readonly TimeseriesCollection[];
}

export interface TimeseriesField {
  /** The field of the record. */
  readonly field: string;
  /** The name under which it is asked for. */
  readonly name: string;
  /** How several values become one where nothing else is asked for: `LATEST` unless annotated. */
  readonly aggregation: string;
  readonly type: Schema;
  /** DATETIME: a number that is a time. */
  readonly isTime: boolean;
}

/** A list whose elements are points of their own, told apart by a key. */
export interface TimeseriesCollection {
  readonly field: string;
  readonly name: string;
  /** The element's field that tells it from others; the elements themselves where they are plain. */
  readonly key: string;
  readonly fields: readonly TimeseriesField[];
}

const FIELD_OPTIONS: OptionNames = { effective: new Set(['name', 'fieldType', 'aggregationType']) };
const COLLECTION_OPTIONS: OptionNames = { effective: new Set(['name', 'key']) };

/**
 * What `@TimeseriesField` and `@TimeseriesFieldCollection` say of a timeseries aspect.
 *
 * **Errors**: `InvalidModelError` for a timeseries aspect without `timestampMillis`, a collection that is no list, or that has no key
 * or one that its elements lack.
 *
 * **Source**: operations and search behaviour, section 4.
 */
export function readTimeseriesFields(record: RecordSchema, warnings: ModelWarnings): TimeseriesFields {
  if (!record.fields.some(({ name, type }) => name === 'timestampMillis' && isLong(type))) {
    throw errorAt(record.origin, `the timeseries aspect ${record.name} needs a field timestampMillis: long`);
  }
  return {
    fields: fieldsOf(record, warnings),
    collections: record.fields.flatMap((field) => {
      const options = toOptions(field, 'TimeseriesFieldCollection');
      return options === undefined ? [] : [collectionOf(field, options, warnings)];
    }),
  };
}

/** A versioned aspect has no points: annotations that speak of them are told and have no effect. */
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

function fieldsOf(record: RecordSchema, warnings: ModelWarnings): readonly TimeseriesField[] {
  return record.fields.flatMap((field) => {
    const options = toOptions(field, 'TimeseriesField');
    if (options === undefined) return [];
    warnings.options('TimeseriesField', options, FIELD_OPTIONS, field.origin);
    const { aggregationType = 'LATEST' } = options;
    return {
      field: field.name,
      name: nameIn(options, field),
      aggregation: typeof aggregationType === 'string' ? aggregationType : 'LATEST',
      type: field.type,
      isTime: options.fieldType === 'DATETIME',
    };
  });
}

function collectionOf(
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
    name: nameIn(options, field),
    key,
    fields: element.kind === 'record' ? fieldsOf(element, warnings) : [],
  };
}

function nameIn({ name }: JsonObject, field: FieldSchema): string {
  return typeof name === 'string' && name !== '' ? name : field.name;
}

function toOptions({ annotations, origin }: FieldSchema, name: string): JsonObject | undefined {
  const annotation = annotations[name];
  if (annotation === undefined) return undefined;
  if (annotation === true) return {};
  if (isJsonObject(annotation)) return annotation;
  throw errorAt(origin, `@${name}: expected a JSON object`);
}
