import { didYouMean, type TimeseriesField } from '@stratalog/domain';
import {
  TIMESTAMP,
  dereferenced,
  plainKind,
  readDefault,
  type AspectType,
  type RecordSchema,
  type Schema,
} from '@stratalog/registry';

/** A field that a request names, or why it may not. */
export type NamedField<Field> = Field | { readonly fault: string };

/**
 * Resolves the field of a filter: a field of the aspect by its name or its indexed name, a nested field by a dotted
 * path, `urn`, or `runId` of the system metadata.
 */
export function toTimeseriesField(aspect: AspectType, sent: string): NamedField<TimeseriesField> {
  const name = sent.endsWith('.keyword') ? sent.slice(0, -'.keyword'.length) : sent;
  if (name === 'urn') return { source: 'urn', path: [], kind: 'text' };
  if (name === 'runId') return { source: 'system-metadata', path: ['runId'], kind: 'text' };
  if (name === '@timestamp' || name === 'timestampMillis') return TIMESTAMP;
  const path = toPath(aspect, name);
  const type = findType(aspect.record, path);
  if (type === undefined) {
    const near = didYouMean(name, listFieldNames(aspect));
    return { fault: `${sent.slice(0, 100)} is no field of the timeseries aspect ${aspect.name}${near}` };
  }
  const kind = plainKind(type);
  if (kind === undefined) {
    return { fault: `${sent.slice(0, 100)} of the aspect ${aspect.name} holds no plain values to compare` };
  }
  const isList = dereferenced(type).kind === 'array';
  return { source: 'value', path, kind, isList, ...readDefault(aspect.record, path) };
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
