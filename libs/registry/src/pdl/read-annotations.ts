import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { nameOf, type PdlCursor } from './pdl-cursor';

/** Most names of a dotted annotation; each is one level of nesting. */
const MAX_SEGMENTS = 20;

/**
 * Reads consecutive annotations: `@Name`, `@Name = <json>`, `@a.b.c = <json>`. A dotted name builds nested objects
 * and merges with earlier ones of the same name; an annotation without a value is `true`.
 */
export function readAnnotations(cursor: PdlCursor): { annotations: JsonObject; doc: string } {
  const annotations: JsonObject = {};
  let doc = cursor.here.doc ?? '';
  while (cursor.is('@')) {
    const { at } = cursor.take();
    const path = [segment(cursor)];
    while (cursor.skip('.')) path.push(segment(cursor));
    if (path.length > MAX_SEGMENTS)
      throw cursor.source.error(at, `more than ${String(MAX_SEGMENTS)} names in a row`);
    const value = cursor.skip('=') ? readJsonValue(cursor) : true;
    if (!place(annotations, path, value)) {
      throw cursor.source.error(at, `the annotation @${path.join('.')} stands here twice`);
    }
    // A doc comment may also come between the annotations and the name.
    doc = cursor.here.doc ?? doc;
  }
  return { annotations, doc };
}

function segment(cursor: PdlCursor): string {
  return cursor.name('the name of an annotation');
}

/** Puts `value` at `path`; false when the path already has a different value. */
function place(target: JsonObject, path: readonly string[], value: JsonValue): boolean {
  const [name = '', ...rest] = path;
  const present = Object.hasOwn(target, name) ? target[name] : undefined;
  if (rest.length > 0) {
    if (present === undefined) setMember(target, name, {});
    const inner = target[name];
    return isJsonObject(inner) && place(inner, rest, value);
  }
  if (present === undefined) {
    setMember(target, name, value);
    return true;
  }
  if (!isJsonObject(present) || !isJsonObject(value)) return false;
  return Object.entries(value).every(([member, inner]) => place(present, [member], inner));
}

/** Reads a JSON value. Commas between its parts may be missing or doubled. The last of two equal members wins. */
export function readJsonValue(cursor: PdlCursor): JsonValue {
  return cursor.nested(() => {
    const token = cursor.here;
    switch (token.kind) {
      case 'string':
        return readString(cursor);
      case 'number':
        return parseNumber(cursor);
      case 'sign':
        if (cursor.skip('{')) return readMembers(cursor);
        if (cursor.skip('[')) return readElements(cursor);
        throw cursor.unexpected('a JSON value');
      case 'name':
        if (cursor.skip('true')) return true;
        if (cursor.skip('false')) return false;
        if (cursor.skip('null')) return null;
        throw cursor.unexpected('a JSON value');
      case 'quoted':
      case 'end':
        throw cursor.unexpected('a JSON value');
    }
  });
}

function readMembers(cursor: PdlCursor): JsonObject {
  const members: JsonObject = {};
  while (!cursor.skip('}')) {
    if (cursor.here.kind !== 'string') throw cursor.unexpected('a member name in double quotes or "}"');
    const name = readString(cursor);
    cursor.expect(':');
    setMember(members, name, readJsonValue(cursor));
  }
  return members;
}

function readElements(cursor: PdlCursor): JsonValue[] {
  const elements: JsonValue[] = [];
  while (!cursor.skip(']')) elements.push(readJsonValue(cursor));
  return elements;
}

function readString(cursor: PdlCursor): string {
  const token = cursor.take();
  try {
    return JSON.parse(token.text) as string;
  } catch {
    throw cursor.source.error(
      token.at,
      'expected a JSON string: it has an escape or character that JSON does not allow',
    );
  }
}

function parseNumber(cursor: PdlCursor): JsonValue {
  const token = cursor.take();
  try {
    return parseJson(nameOf(token));
  } catch {
    throw cursor.source.error(token.at, `expected a JSON number, found ${token.text}`);
  }
}

/** Sets an own member, also for names where an assignment would change the prototype. */
function setMember(target: JsonObject, name: string, value: JsonValue): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
