import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type NoteUnknown,
  type Steps,
} from '@stratalog/model';
import { dereferenced, type RecordSchema, type Schema, type UnionSchema } from '../schema/schema';

/**
 * Notes the members of a valid value that its schema does not know, each with its path from the value on and the fields that are known
 * there. A null says nothing, so nothing is lost with it.
 *
 * A value may be as large as a body: each object and list in it is a step, and so are some of the members of one that has many.
 */
export function* noteUnknownFields(
  schema: Schema,
  value: JsonValue,
  note: NoteUnknown,
  path = '',
): Steps<void> {
  const type = dereferenced(schema);
  if (Array.isArray(value)) {
    if (type.kind !== 'array') return;
    const { items } = type;
    for (const [at, item] of value.entries()) {
      if (holdsOthers(item)) yield* noteUnknownFields(items, item, note, `${path}/${String(at)}`);
      else if (at % MEMBERS_A_STEP === 0) yield;
    }
  } else if (isJsonObject(value)) {
    yield;
    yield* noteInObject(type, value, note, path);
  }
}

/** So many members are looked at in one step. */
const MEMBERS_A_STEP = 256;

function holdsOthers(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function* noteInObject(type: Schema, value: JsonObject, note: NoteUnknown, path: string): Steps<void> {
  if (type.kind === 'record') yield* noteInRecord(type, value, note, path);
  else if (type.kind === 'map') {
    let at = 0;
    for (const key in value) {
      const inner = value[key] ?? null;
      if (holdsOthers(inner)) yield* noteUnknownFields(type.values, inner, note, stepOf(path, key));
      else if (++at % MEMBERS_A_STEP === 0) yield;
    }
  } else if (type.kind === 'union') {
    for (const key in value) {
      const member = memberNamed(type, key);
      if (member !== undefined) yield* noteUnknownFields(member, value[key] ?? null, note, stepOf(path, key));
    }
  }
}

function* noteInRecord(
  { fields }: RecordSchema,
  value: JsonObject,
  note: NoteUnknown,
  path: string,
): Steps<void> {
  const types = typesOf(fields);
  let at = 0;
  for (const name in value) {
    const inner = value[name] ?? null;
    const type = types.get(name);
    if (type === undefined) {
      if (inner !== null) note(`${path}/`, name, types.keys());
    } else if (holdsOthers(inner)) yield* noteUnknownFields(type, inner, note, stepOf(path, name));
    if (++at % MEMBERS_A_STEP === 0) yield;
  }
}

/** By name, made once for each record of the model. */
function typesOf(fields: RecordSchema['fields']): ReadonlyMap<string, Schema> {
  const known = TYPES.get(fields);
  if (known !== undefined) return known;
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  TYPES.set(fields, types);
  return types;
}

const TYPES = new WeakMap<RecordSchema['fields'], ReadonlyMap<string, Schema>>();

/** Producers write a member's name in several ways, which have the last part in common. */
function memberNamed({ members }: UnionSchema, name: string): Schema | undefined {
  const exact = members.find(({ key }) => key === name);
  return (exact ?? members.find(({ key }) => lastPartOf(key) === lastPartOf(name)))?.type;
}

function lastPartOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function stepOf(path: string, step: string): string {
  return `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
