import { nearestName } from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@stratalog/json';
import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema/schema';
import { MAX_DEPTH, TOO_DEEP, checkInSteps, shown, type Check, type CheckRun } from './check-run';
import { isNull } from './union-check';

interface Member {
  readonly name: string;
  /** Name and colon in canonical form. */
  readonly prefix: string;
  readonly check: Check;
  readonly required: boolean;
  /** True when a null counts as absent. */
  readonly nullIsAbsent: boolean;
  /** True when `Object.prototype` has a member of this name. */
  readonly inherited: boolean;
}

/** Most members that are compared with a missing one; more than any record has. */
const MAX_COMPARED = 200;

/** Checks a record: drops unknown members, and writes the others in the order of their code units. */
export function recordCheck(record: RecordSchema, compileCheck: (field: FieldSchema) => Check): Check {
  const members = record.fields
    .map((field) => compileMember(field, compileCheck(field)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const expected = `must be an object (${record.name})`;
  const known = new Set(members.map(({ name }) => name));
  const readMember = (member: Member, value: JsonObject, run: CheckRun): JsonValue | undefined => {
    const inner = readInner(value, member);
    if (inner === undefined && member.required)
      run.faultAt(member.name, `is required${suggestMember(member.name, value, known)}`);
    return inner;
  };
  const atOnce: Check = (value, run) => {
    if (!isJsonObject(value)) return run.fault(`${expected}, not ${shown(value)}`);
    if (run.depth >= MAX_DEPTH) return run.fault(TOO_DEEP);
    const level = run.depth;
    let text = '';
    for (const member of members) {
      const inner = readMember(member, value, run);
      if (inner === undefined) continue;
      run.path[level] = member.name;
      run.depth = level + 1;
      const innerText = member.check(inner, run);
      run.depth = level;
      text += text === '' ? member.prefix + innerText : `,${member.prefix}${innerText}`;
    }
    run.hasUnknown ||= hasOthers(value, known);
    return `{${text}}`;
  };
  function* inSteps(value: JsonValue, run: CheckRun): Steps<string> {
    if (!isJsonObject(value) || run.depth >= MAX_DEPTH) return atOnce(value, run);
    const level = run.depth;
    const texts: string[] = [];
    for (const member of members) {
      const inner = readMember(member, value, run);
      if (inner === undefined) continue;
      run.path[level] = member.name;
      run.depth = level + 1;
      texts.push(member.prefix + (yield* checkInSteps(member.check, inner, run)));
      run.depth = level;
      yield;
    }
    run.hasUnknown ||= hasOthers(value, known);
    return `{${texts.join(',')}}`;
  }
  return Object.assign(atOnce, { inSteps });
}

function hasOthers(value: JsonObject, known: ReadonlySet<string>): boolean {
  for (const name in value) if (!known.has(name)) return true;
  return false;
}

/** Reads the value of a member; `undefined` when it is absent. */
function readInner(value: JsonObject, { name, inherited, nullIsAbsent }: Member): JsonValue | undefined {
  const inner = inherited && !Object.hasOwn(value, name) ? undefined : value[name];
  return inner === null && nullIsAbsent ? undefined : inner;
}

/** Suggests an unknown member as a misspelling of a missing field. */
function suggestMember(name: string, value: JsonObject, known: ReadonlySet<string>): string {
  const unknown = Object.keys(value)
    .slice(0, MAX_COMPARED)
    .filter((each) => !known.has(each));
  const near = nearestName(name, unknown);
  return near === undefined ? '' : `; did you mean it by ${near}?`;
}

function compileMember({ name, type, optional, default: fallback }: FieldSchema, check: Check): Member {
  const omittable = optional || fallback !== undefined;
  return {
    name,
    prefix: `${JSON.stringify(name)}:`,
    check,
    required: !omittable,
    nullIsAbsent: omittable && (optional || !takesNull(type)),
    inherited: name in Object.prototype,
  };
}

/** True when null is a valid value of the type, which then differs from an absent one. */
function takesNull(schema: Schema): boolean {
  const type = dereferenced(schema);
  return isNull(type) || (type.kind === 'union' && type.members.some((member) => isNull(member.type)));
}
