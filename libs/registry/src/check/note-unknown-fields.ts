import { isJsonObject, type JsonObject, type JsonValue, type NoteUnknown } from '@stratalog/model';
import { dereferenced, type RecordSchema, type Schema, type UnionSchema } from '../schema';

/**
 * Notes the members of a valid value that its schema does not know, each with its path from the value on and the fields that are known
 * there. A null says nothing, so nothing is lost with it.
 */
export function noteUnknownFields(schema: Schema, value: JsonValue, note: NoteUnknown, path = ''): void {
  const type = dereferenced(schema);
  if (Array.isArray(value)) {
    if (type.kind !== 'array') return;
    for (const [at, item] of value.entries()) {
      noteUnknownFields(type.items, item, note, `${path}/${String(at)}`);
    }
  } else if (isJsonObject(value)) noteInObject(type, value, note, path);
}

function noteInObject(type: Schema, value: JsonObject, note: NoteUnknown, path: string): void {
  if (type.kind === 'record') noteInRecord(type, value, note, path);
  else if (type.kind === 'map') {
    for (const [key, inner] of Object.entries(value))
      noteUnknownFields(type.values, inner, note, stepOf(path, key));
  } else if (type.kind === 'union') {
    for (const [key, inner] of Object.entries(value)) {
      const member = memberNamed(type, key);
      if (member !== undefined) noteUnknownFields(member, inner, note, stepOf(path, key));
    }
  }
}

function noteInRecord({ fields }: RecordSchema, value: JsonObject, note: NoteUnknown, path: string): void {
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  for (const [name, inner] of Object.entries(value)) {
    const type = types.get(name);
    if (type !== undefined) noteUnknownFields(type, inner, note, stepOf(path, name));
    else if (inner !== null) note(`${path}/`, name, types.keys());
  }
}

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
