import { didYouMean, isJsonObject } from '@stratalog/model';
import { byEveryName } from '../names-of-types';
import { dereferenced, type Schema, type UnionSchema } from '../schema';
import { MAX_DEPTH, shown, type Check } from './check-run';

/** How many members a fault lists. */
const MEMBERS_SHOWN = 8;

/**
 * Checks `{"<member>": value}`, or a bare null where the union has null. A member may be called by its key, by the last part of its
 * name when no other member has that, or by the name that Avro-based producers give the same type.
 */
export function unionCheck(
  schema: UnionSchema,
  checkOf: (schema: Schema) => Check,
  vendorPrefix: string,
): Check {
  /** The prefix is key and colon as canonical text has them. */
  const members = schema.members.map(({ key, type }) => ({
    key,
    prefix: `{${JSON.stringify(key)}:`,
    check: checkOf(type),
  }));
  const named = members.map((member, at) => {
    const hasOthers = schema.members[at]?.aliased === false;
    return { name: member.key, thing: member, hasOthers };
  });
  const byName = byEveryName(named, vendorPrefix);
  const nullable = schema.members.some(({ type }) => isNull(type));
  const keys = schema.members.filter(({ type }) => !isNull(type)).map(({ key }) => key);
  const more = keys.length > MEMBERS_SHOWN ? ` … (${String(keys.length)} members)` : '';
  const allowed = keys.slice(0, MEMBERS_SHOWN).join(', ') + more;
  return (value, run) => {
    if (value === null && nullable) return 'null';
    if (!isJsonObject(value))
      return run.fault(`must be an object with one member (${allowed}), not ${shown(value)}`);
    const given = Object.keys(value);
    const [name] = given;
    if (name === undefined || given.length > 1) {
      return run.fault(`must have exactly one member (${allowed}), not ${String(given.length)}`);
    }
    const member = byName.get(name);
    if (member === undefined) {
      return run.fault(`must be one of ${allowed}, not ${shown(name)}${didYouMean(name, byName.keys())}`);
    }
    if (run.depth >= MAX_DEPTH) return run.fault(`is nested deeper than ${String(MAX_DEPTH)} levels`);
    run.path[run.depth++] = member.key;
    const text = member.check(value[name] ?? null, run);
    run.depth--;
    return `${member.prefix}${text}}`;
  };
}

export function isNull(schema: Schema): boolean {
  const type = dereferenced(schema);
  return type.kind === 'primitive' && type.name === 'null';
}
