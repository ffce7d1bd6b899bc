import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema/schema';
import { EACH, type KeyedField } from './keyed-arrays';
import type { PatchOperation } from './patch-document';

/** Marks the removals of whole arrays that the record must have. */
export function markRequiredArrays(
  record: RecordSchema,
  operations: readonly PatchOperation[],
  keyed: readonly KeyedField[],
): readonly PatchOperation[] {
  return operations.map((operation) =>
    operation.op === 'remove' && isRequiredArray(record, operation.path, keyed)
      ? { ...operation, isRequiredArray: true }
      : operation,
  );
}

function isRequiredArray(
  record: RecordSchema,
  path: readonly string[],
  keyed: readonly KeyedField[],
): boolean {
  let type: Schema = record;
  let field: FieldSchema | undefined;
  const place: string[] = [];
  for (let at = 0; at < path.length; at++) {
    const step = path[at] ?? '';
    const container = dereferenced(type);
    field = undefined;
    if (container.kind === 'record') {
      field = container.fields.find(({ name }) => name === step);
      if (field === undefined) return false;
      ({ type } = field);
      place.push(step);
    } else if (container.kind === 'array') {
      // An element of a keyed array has one step for each key.
      at += Math.max(countKeys(keyed, place), 1) - 1;
      type = container.items;
      place.push(EACH);
    } else if (container.kind === 'map') {
      type = container.values;
      place.push(step);
    } else return false;
  }
  if (field === undefined || field.optional || field.default !== undefined) return false;
  return dereferenced(field.type).kind === 'array';
}

function countKeys(keyed: readonly KeyedField[], place: readonly string[]): number {
  return keyed.find(({ path }) => path.join('/') === place.join('/'))?.keys.length ?? 1;
}
