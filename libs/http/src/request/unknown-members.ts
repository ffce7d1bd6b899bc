import type { ReportUnknown } from '@stratalog/domain';
import { isJsonObject, type JsonValue, type Steps } from '@stratalog/json';
import type { ValueSchema } from '../parameters/value-schema';

/** Bodies that are nested deeper hold values with a schema of their own, which other code checks. */
const MAX_DEPTH = 12;

/**
 * Reports the members of a body that its documentation does not name. Objects without named members, and
 * objects that permit any member, are not checked.
 */
export function* reportUnknownMembers(
  value: JsonValue | undefined,
  schema: ValueSchema,
  report: ReportUnknown,
  { path, depth } = ROOT,
): Steps<void> {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [at, item] of value.entries()) {
      yield* reportUnknownMembers(item, items, report, { path: `${path}/${String(at)}`, depth: depth + 1 });
      yield;
    }
    return;
  }
  if (!isJsonObject(value)) return;
  const known = membersIn(schema);
  if (known.size === 0) return;
  for (const [name, inner] of Object.entries(value)) {
    const member = known.get(name);
    if (member === undefined) {
      if (inner !== null) report(`${path}/`, name, known.keys());
    } else if (typeof inner === 'object') {
      yield* reportUnknownMembers(inner, member, report, { path: `${path}/${name}`, depth: depth + 1 });
    }
  }
}

const ROOT = { path: '', depth: 1 };

/** Returns the members of a schema by name, computed once per schema; none when any member is permitted. */
function membersIn(schema: ValueSchema): ReadonlyMap<string, ValueSchema> {
  const known = MEMBERS.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, additionalProperties, anyOf = [] } = schema;
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const members = new Map(
    isOpen ? [] : [...Object.entries(properties), ...anyOf.flatMap((each) => [...membersIn(each)])],
  );
  MEMBERS.set(schema, members);
  return members;
}

const MEMBERS = new WeakMap<ValueSchema, ReadonlyMap<string, ValueSchema>>();
