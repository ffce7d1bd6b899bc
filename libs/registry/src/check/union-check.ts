import { didYouMean } from '@stratalog/domain';
import { isJsonObject, type JsonValue, type Steps } from '@stratalog/json';
import { indexByEveryName } from '../schema/names-of-types';
import { dereferenced, type Schema, type UnionSchema } from '../schema/schema';
import { MAX_DEPTH, TOO_DEEP, checkInSteps, shown, type Check, type CheckRun } from './check-run';

/** Members that a fault lists. */
const MEMBERS_SHOWN = 8;

/**
 * Checks `{"<member>": value}`, or a bare null when the union has null. A member may be named by its key, by a unique
 * last part of its name, or by the name of Avro-based producers.
 */
export function unionCheck(
  schema: UnionSchema,
  compileCheck: (schema: Schema) => Check,
  vendorPrefix: string,
): Check {
  /** The prefix is the key and colon in canonical form. */
  const members = schema.members.map(({ key, type }) => ({
    key,
    prefix: `{${JSON.stringify(key)}:`,
    check: compileCheck(type),
  }));
  const named = members.map((member, at) => {
    const hasOthers = schema.members[at]?.aliased === false;
    return { name: member.key, thing: member, hasOthers };
  });
  const byName = indexByEveryName(named, vendorPrefix);
  const nullable = schema.members.some(({ type }) => isNull(type));
  const keys = schema.members.filter(({ type }) => !isNull(type)).map(({ key }) => key);
  const more = keys.length > MEMBERS_SHOWN ? ` … (${String(keys.length)} members)` : '';
  const allowed = keys.slice(0, MEMBERS_SHOWN).join(', ') + more;
  /** Resolves and enters the member of a value; returns a text for a null or a fault. */
  const enter = (value: JsonValue, run: CheckRun) => {
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
    if (run.depth >= MAX_DEPTH) return run.fault(TOO_DEEP);
    run.path[run.depth++] = member.key;
    return { member, inner: value[name] ?? null };
  };
  const atOnce: Check = (value, run) => {
    const entered = enter(value, run);
    if (typeof entered === 'string') return entered;
    const text = entered.member.check(entered.inner, run);
    run.depth--;
    return `${entered.member.prefix}${text}}`;
  };
  function* inSteps(value: JsonValue, run: CheckRun): Steps<string> {
    const entered = enter(value, run);
    if (typeof entered === 'string') return entered;
    const text = yield* checkInSteps(entered.member.check, entered.inner, run);
    run.depth--;
    return `${entered.member.prefix}${text}}`;
  }
  return Object.assign(atOnce, { inSteps });
}

export function isNull(schema: Schema): boolean {
  const type = dereferenced(schema);
  return type.kind === 'primitive' && type.name === 'null';
}
