import type { ReportUnknown } from '@stratalog/domain';
import { isJsonObject, type JsonValue, type Steps } from '@stratalog/json';
import type { ValueSchema } from '../parameters/value-schema';

/** Bodies that are nested deeper hold values with a schema of their own, which other code checks. */
const MAX_DEPTH = 12;

/**
 * Reports the members of a body that its documentation does not name. Objects without named members are not checked; of objects that permit
 * any member, the values are, as far as they have a schema.
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
  const { known, others } = membersIn(schema);
  if (known.size === 0 && others === undefined) return;
  for (const [name, inner] of Object.entries(value)) {
    const member = known.get(name) ?? others;
    if (member === undefined) {
      if (inner !== null) report(`${path}/`, name, known.keys());
    } else if (typeof inner === 'object') {
      yield* reportUnknownMembers(inner, member, report, { path: `${path}/${name}`, depth: depth + 1 });
    }
  }
}

const ROOT = { path: '', depth: 1 };

interface Members {
  readonly known: ReadonlyMap<string, ValueSchema>;
  /** The schema of all other members; without it they are unknown. */
  readonly others?: ValueSchema;
}

/** Returns the members of a schema, computed once per schema; none when any member may have any value. */
function membersIn(schema: ValueSchema): Members {
  const before = MEMBERS.get(schema);
  if (before !== undefined) return before;
  const { properties = {}, additionalProperties = false, anyOf = [] } = schema;
  const known = new Map([
    ...Object.entries(properties),
    ...anyOf.flatMap((each) => [...membersIn(each).known]),
  ]);
  const members = additionalProperties === false ? { known } : membersOfOpen(known, additionalProperties);
  MEMBERS.set(schema, members);
  return members;
}

function membersOfOpen(known: Members['known'], others: ValueSchema | true): Members {
  const hasSchema = others !== true && Object.keys(others).length > 0;
  return hasSchema ? { known, others } : { known: new Map() };
}

const MEMBERS = new WeakMap<ValueSchema, Members>();
