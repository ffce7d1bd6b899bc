import { isJsonObject } from '@stratalog/model';
import { dereferenced, type Schema, type UnionSchema } from '../schema';
import { MAX_DEPTH, shown, type Check } from './check-run';

interface Member {
  readonly key: string;
  /** Key and colon as canonical text has them. */
  readonly prefix: string;
  readonly check: Check;
}

/** How many members a fault lists. */
const MEMBERS_SHOWN = 8;
const MODEL_PREFIX = 'com.linkedin.';

/**
 * Checks `{"<member>": value}`, or a bare null where the union has null. A member may be called by its key, by the last part of its
 * name when no other member has that, or by the name that Avro-based producers give the same type.
 */
export function unionCheck(
  schema: UnionSchema,
  checkOf: (schema: Schema) => Check,
  vendorPrefix: string,
): Check {
  const members = schema.members.map(({ key, type }) => ({
    key,
    prefix: `{${JSON.stringify(key)}:`,
    check: checkOf(type),
  }));
  const byName = namesOf(schema, members, vendorPrefix);
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
    if (member === undefined) return run.fault(`must be one of ${allowed}, not ${shown(name)}`);
    if (run.depth >= MAX_DEPTH) return run.fault(`is nested deeper than ${String(MAX_DEPTH)} levels`);
    run.path[run.depth++] = member.key;
    const text = member.check(value[name] ?? null, run);
    run.depth--;
    return `${member.prefix}${text}}`;
  };
}

function namesOf(
  schema: UnionSchema,
  members: readonly Member[],
  vendorPrefix: string,
): ReadonlyMap<string, Member> {
  const short = new Map<string, Member | undefined>();
  const names = new Map<string, Member>();
  members.forEach((member, index) => {
    names.set(member.key, member);
    const lastDot = member.key.lastIndexOf('.');
    if (schema.members[index]?.aliased !== false || lastDot < 0) return;
    const last = member.key.slice(lastDot + 1);
    short.set(last, short.has(last) ? undefined : member);
    for (const other of otherNamesOf(member.key, vendorPrefix)) names.set(other, member);
  });
  for (const [name, member] of short) if (member !== undefined && !names.has(name)) names.set(name, member);
  return names;
}

/** The same type as other producers spell it: with the model's own prefix, and as Avro schemas rename it. */
function otherNamesOf(fullName: string, vendorPrefix: string): readonly string[] {
  if (!fullName.startsWith(vendorPrefix)) return [];
  const rest = fullName.slice(vendorPrefix.length);
  return [vendorPrefix, MODEL_PREFIX].flatMap((prefix) => [
    `${prefix}${rest}`,
    `${prefix}pegasus2avro.${rest}`,
    // The two types of this package keep a place of their own in Avro.
    ...(rest.startsWith('avro2pegasus.events.') ? [`${prefix}${rest.slice('avro2pegasus.'.length)}`] : []),
  ]);
}

export function isNull(schema: Schema): boolean {
  const type = dereferenced(schema);
  return type.kind === 'primitive' && type.name === 'null';
}
