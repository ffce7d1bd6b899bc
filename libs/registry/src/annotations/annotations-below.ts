import { dereferenced, type RecordSchema, type Schema } from '../schema/schema';

/** A memo: schemas do not change. */
const NAMES = new WeakMap<RecordSchema, ReadonlySet<string>>();

/** Returns the names of the annotations of a record's fields, and of the fields of all records that it holds at any depth. */
export function annotationsBelow(record: RecordSchema): ReadonlySet<string> {
  const known = NAMES.get(record);
  if (known !== undefined) return known;
  const names = new Set<string>();
  // The set grows while it is read, so that each record counts once, also one that holds itself.
  const records = new Set([record]);
  for (const { fields } of records) {
    for (const { type, annotations } of fields) {
      for (const name of Object.keys(annotations)) names.add(name);
      for (const inner of listRecords(type)) records.add(inner);
    }
  }
  NAMES.set(record, names);
  return names;
}

/** Lists the records that a value of the type is, or holds in lists, maps and unions. */
export function listRecords(schema: Schema): readonly RecordSchema[] {
  const type = dereferenced(schema);
  switch (type.kind) {
    case 'record':
      return [type];
    case 'array':
      return listRecords(type.items);
    case 'map':
      return listRecords(type.values);
    case 'union':
      return type.members.flatMap((member) => listRecords(member.type));
    default:
      return [];
  }
}
