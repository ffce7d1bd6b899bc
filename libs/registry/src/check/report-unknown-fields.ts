import type { ReportUnknown } from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@stratalog/json';
import { dereferenced, type RecordSchema, type Schema, type UnionSchema } from '../schema/schema';

/**
 * Reports the members of a valid value outside its schema, each with its path and the fields that are known there. A
 * null member is ignored, because dropping it loses nothing.
 *
 * A value may be as large as a body, so each object and list is a step, and large ones take several.
 */
export function* reportUnknownFields(
  schema: Schema,
  value: JsonValue,
  report: ReportUnknown,
  path = '',
): Steps<void> {
  const type = dereferenced(schema);
  if (Array.isArray(value)) {
    if (type.kind !== 'array') return;
    const { items } = type;
    for (const [at, item] of value.entries()) {
      if (isContainer(item)) yield* reportUnknownFields(items, item, report, `${path}/${String(at)}`);
      else if (at % MEMBERS_A_STEP === 0) yield;
    }
  } else if (isJsonObject(value)) {
    yield;
    yield* reportInObject(type, value, report, path);
  }
}

/** Members that one step inspects. */
const MEMBERS_A_STEP = 256;

function isContainer(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function* reportInObject(type: Schema, value: JsonObject, report: ReportUnknown, path: string): Steps<void> {
  if (type.kind === 'record') yield* reportInRecord(type, value, report, path);
  else if (type.kind === 'map') {
    let at = 0;
    for (const key in value) {
      const inner = value[key] ?? null;
      if (isContainer(inner)) yield* reportUnknownFields(type.values, inner, report, appendStep(path, key));
      else if (++at % MEMBERS_A_STEP === 0) yield;
    }
  } else if (type.kind === 'union') {
    for (const key in value) {
      const member = findMember(type, key);
      if (member !== undefined)
        yield* reportUnknownFields(member, value[key] ?? null, report, appendStep(path, key));
    }
  }
}

function* reportInRecord(
  { fields }: RecordSchema,
  value: JsonObject,
  report: ReportUnknown,
  path: string,
): Steps<void> {
  const types = listTypes(fields);
  let at = 0;
  for (const name in value) {
    const inner = value[name] ?? null;
    const type = types.get(name);
    if (type === undefined) {
      if (inner !== null) report(`${path}/`, name, types.keys());
    } else if (isContainer(inner)) yield* reportUnknownFields(type, inner, report, appendStep(path, name));
    if (++at % MEMBERS_A_STEP === 0) yield;
  }
}

/** Types by field name, cached for each record of the model. */
function listTypes(fields: RecordSchema['fields']): ReadonlyMap<string, Schema> {
  const known = TYPES.get(fields);
  if (known !== undefined) return known;
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  TYPES.set(fields, types);
  return types;
}

const TYPES = new WeakMap<RecordSchema['fields'], ReadonlyMap<string, Schema>>();

/** Producers write a member's name in several ways with a common last part. */
function findMember({ members }: UnionSchema, name: string): Schema | undefined {
  const exact = members.find(({ key }) => key === name);
  return (exact ?? members.find(({ key }) => lastPart(key) === lastPart(name)))?.type;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function appendStep(path: string, step: string): string {
  return `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
