import { isJsonObject, nearestName, type JsonObject } from '@stratalog/model';
import { dereferenced, type FieldSchema, type RecordSchema, type Schema } from '../schema';
import { MAX_DEPTH, shown, type Check } from './check-run';
import { enumCheck, fixedCheck, primitiveChecks, quoted } from './scalar-checks';
import { isNull, unionCheck } from './union-check';
import { urnCheck, urnRuleOf, type PartsFault } from './urn-check';
import { urnPartsFault } from './urn-parts-fault';
import { urnValidationOf } from './urn-validation';

const TOO_DEEP = `is nested deeper than ${String(MAX_DEPTH)} levels`;

/** Compiles schemas to checks, each record once; what a record refers to is compiled when a value first needs it. */
export class Checks {
  private readonly records = new Map<RecordSchema, Check>();
  private readonly partsFault: PartsFault;

  /**
   * `vendorPrefix`: what the model's names start with, e.g. `com.linkedin.`; `keys`: by the entity type's name in lower case, the record
   * of its key.
   */
  constructor(
    private readonly vendorPrefix: string,
    keys: ReadonlyMap<string, RecordSchema>,
  ) {
    this.partsFault = urnPartsFault(keys, (type) => this.checkOf(type));
  }

  checkOf(schema: Schema): Check {
    switch (schema.kind) {
      case 'primitive':
        return primitiveChecks[schema.name];
      case 'enum':
        return enumCheck(schema);
      case 'fixed':
        return fixedCheck(schema);
      case 'array':
        return arrayCheck(this.checkOf(schema.items));
      case 'map':
        return mapCheck(this.checkOf(schema.values));
      case 'union':
        return unionCheck(schema, (member) => this.checkOf(member), this.vendorPrefix);
      case 'typeref': {
        const rule = urnRuleOf(schema);
        return rule === undefined ? this.checkOf(schema.ref) : urnCheck(rule, this.partsFault);
      }
      case 'record':
        return this.recordCheckOf(schema);
    }
  }

  /** What a field says of its urns counts beside what its type says. */
  private fieldCheckOf(field: FieldSchema): Check {
    const rule = urnValidationOf(field);
    if (rule === undefined) return this.checkOf(field.type);
    const check = urnCheck(rule, this.partsFault);
    return dereferenced(field.type).kind === 'array' ? arrayCheck(check) : check;
  }

  private recordCheckOf(record: RecordSchema): Check {
    const known = this.records.get(record);
    if (known !== undefined) return known;
    let compiled: Check | undefined;
    // Records refer to each other in circles, so the fields are compiled at the first value and not here.
    const check: Check = (value, run) => {
      compiled ??= recordCheck(record, (field) => this.fieldCheckOf(field));
      return compiled(value, run);
    };
    this.records.set(record, check);
    return check;
  }
}

interface Member {
  readonly name: string;
  /** Name and colon as canonical text has them. */
  readonly prefix: string;
  readonly check: Check;
  readonly required: boolean;
  /** A null counts as absent. */
  readonly nullIsAbsent: boolean;
  /** Every object has something inherited under this name. */
  readonly inherited: boolean;
}

/** So many members of a value are compared with a missing one: more than any record has. */
const MAX_COMPARED = 200;

/** Members that the record does not know are dropped; the others are written in the order of their code units. */
function recordCheck(record: RecordSchema, checkOf: (field: FieldSchema) => Check): Check {
  const members = record.fields
    .map((field) => memberOf(field, checkOf(field)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const expected = `must be an object (${record.name})`;
  const known = new Set(members.map(({ name }) => name));
  return (value, run) => {
    if (!isJsonObject(value)) return run.fault(`${expected}, not ${shown(value)}`);
    if (run.depth >= MAX_DEPTH) return run.fault(TOO_DEEP);
    const level = run.depth;
    let text = '';
    for (const member of members) {
      const { name } = member;
      const inner = member.inherited && !Object.hasOwn(value, name) ? undefined : value[name];
      if (inner === undefined || (inner === null && member.nullIsAbsent)) {
        if (member.required) run.faultAt(name, `is required${meantBy(name, value, known)}`);
        continue;
      }
      run.path[level] = name;
      run.depth = level + 1;
      const innerText = member.check(inner, run);
      run.depth = level;
      text += text === '' ? member.prefix + innerText : `,${member.prefix}${innerText}`;
    }
    return `{${text}}`;
  };
}

/** A field that is missing may be there under a misspelt name. */
function meantBy(name: string, value: JsonObject, known: ReadonlySet<string>): string {
  const unknown = Object.keys(value)
    .slice(0, MAX_COMPARED)
    .filter((each) => !known.has(each));
  const near = nearestName(name, unknown);
  return near === undefined ? '' : `; did you mean it by ${near}?`;
}

function memberOf({ name, type, optional, default: fallback }: FieldSchema, check: Check): Member {
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

/** True when null is a value of the type, so that it says more than "absent". */
function takesNull(schema: Schema): boolean {
  const type = dereferenced(schema);
  return isNull(type) || (type.kind === 'union' && type.members.some((member) => isNull(member.type)));
}

function arrayCheck(check: Check): Check {
  return (value, run) => {
    if (!Array.isArray(value)) return run.fault(`must be an array, not ${shown(value)}`);
    if (run.depth >= MAX_DEPTH) return run.fault(TOO_DEEP);
    const level = run.depth;
    run.depth = level + 1;
    let text = '';
    let index = 0;
    for (const element of value) {
      run.path[level] = index;
      const innerText = check(element, run);
      text += index === 0 ? innerText : `,${innerText}`;
      index++;
      if (run.full) break;
    }
    run.depth = level;
    return `[${text}]`;
  };
}

function mapCheck(check: Check): Check {
  return (value, run) => {
    if (!isJsonObject(value)) return run.fault(`must be an object (a map), not ${shown(value)}`);
    if (run.depth >= MAX_DEPTH) return run.fault(TOO_DEEP);
    const level = run.depth;
    run.depth = level + 1;
    let text = '';
    for (const key of Object.keys(value).sort()) {
      run.path[level] = key;
      const inner = `${quoted(key, run)}:${check(value[key] ?? null, run)}`;
      text += text === '' ? inner : `,${inner}`;
      if (run.full) break;
    }
    run.depth = level;
    return `{${text}}`;
  };
}
