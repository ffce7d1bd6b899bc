import { isJsonObject, type JsonValue, type NoteUnknown } from '@stratalog/model';
import type { ValueSchema } from './route-docs';

/** Bodies that are nested deeper hold values of their own, which others look into. */
const MAX_DEPTH = 12;

/**
 * Notes the members of a body that its documentation does not know. What it leaves open, it leaves open here too: objects without named
 * members, and those that take any.
 */
export function noteUnknownMembers(
  value: JsonValue | undefined,
  schema: ValueSchema,
  note: NoteUnknown,
  path = '',
): void {
  if (path.split('/').length > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [at, item] of value.entries()) noteUnknownMembers(item, items, note, `${path}/${String(at)}`);
    return;
  }
  if (!isJsonObject(value)) return;
  const known = membersOf(schema);
  if (known.size === 0) return;
  for (const [name, inner] of Object.entries(value)) {
    const member = known.get(name);
    if (member !== undefined) noteUnknownMembers(inner, member, note, `${path}/${name}`);
    else if (inner !== null) note(`${path}/`, name, known.keys());
  }
}

/** None when any member may be there. */
function membersOf({
  properties = {},
  additionalProperties,
  anyOf = [],
}: ValueSchema): ReadonlyMap<string, ValueSchema> {
  if (additionalProperties !== undefined && additionalProperties !== false) return new Map();
  return new Map([...Object.entries(properties), ...anyOf.flatMap((each) => [...membersOf(each)])]);
}
