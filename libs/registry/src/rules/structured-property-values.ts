import type { MemberFault } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { Neighbour } from '../values/compute-default-aspects';
import { listAt, nameOfType, toText, toPlainValue, typeOfValues } from './structured-property-type';
import type { StoredWrite } from './stored-rule';

const DEFINITION = 'propertyDefinition';
const STATUS = 'status';

/** Most properties of an entity, each of which has a definition to read. */
const MAX_PROPERTIES = 1_000;

/** The urn of a property in a JSON text: as a whole text, or as a step of a path. */
const PROPERTY_URN = /(["/])(urn:[^:"\\/]+:structuredProperty:(?:[^"\\]|\\.)+)/g;

/**
 * Lists the definitions that the assignments of a value or of a patch depend on, at most those of {@link MAX_PROPERTIES} properties. A patch
 * changes only properties that it names.
 */
export function listDefinitions(text: string): readonly Neighbour[] {
  const urns = new Set<string>();
  for (const [, before, written = ''] of text.matchAll(PROPERTY_URN)) {
    if (urns.size > MAX_PROPERTIES) break;
    const rest = toText(parseJson(`"${written}"`));
    urns.add(before === '/' ? readStep(rest) : rest);
  }
  return [...urns].flatMap((urn) => [DEFINITION, STATUS].map((aspectName) => ({ urn, aspectName })));
}

/** Reads the first step of a path, in which `~1` stands for a slash. */
function readStep(path: string): string {
  return path.replace(/\/.*$/s, '').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Finds the assignments that differ from the stored ones and break the definition of their property. */
export function findPropertyFaults({
  entityType,
  proposed,
  value,
  current,
  valueOf,
}: StoredWrite): readonly MemberFault[] {
  const stored = new Map(readAssignments(current).map((each) => [toKey(each), each]));
  const assignments = readAssignments(value);
  if (assignments.length > MAX_PROPERTIES) {
    return [{ path: '/properties', reason: `has more than ${String(MAX_PROPERTIES)} properties` }];
  }
  const seen = new Set<string>();
  return assignments.flatMap((assignment, at) => {
    const urn = textAt(assignment, 'propertyUrn');
    const path = `/properties/${String(at)}`;
    const key = toKey(assignment);
    if (seen.has(key)) return [{ path: `${path}/propertyUrn`, reason: `${urn} is assigned twice` }];
    seen.add(key);
    const values = listAt(assignment, 'values');
    const before = stored.get(key);
    if (before !== undefined && stringifyJson(listAt(before, 'values')) === stringifyJson(values)) return [];
    const named = (reason: string): readonly MemberFault[] => [{ path: `${path}/propertyUrn`, reason }];
    const text = valueOf({ urn, aspectName: DEFINITION });
    const definition = text === undefined ? undefined : parseJson(text);
    if (!isJsonObject(definition)) {
      const isNamed = listDefinitions(proposed).some((each) => each.urn === urn);
      return named(
        isNamed ? `${urn} has no propertyDefinition` : `${urn} changes by a patch that does not name it`,
      );
    }
    if (isRemoved(valueOf({ urn, aspectName: STATUS }))) return named(`${urn} is soft-deleted`);
    const types = listAt(definition, 'entityTypes').map(toText);
    if (!types.some((type) => nameOfType(type) === entityType.name.toLowerCase())) {
      return named(
        `${urn} is a property of ${types.map(nameOfType).join(', ') || 'no entity type'}, not of ${entityType.name}`,
      );
    }
    if (definition.immutable === true && before !== undefined) return named(`${urn} is immutable`);
    return findValueFaults(definition, values, `${path}/values`);
  });
}

function findValueFaults(
  definition: JsonObject,
  values: readonly JsonValue[],
  path: string,
): readonly MemberFault[] {
  const faults: MemberFault[] = [];
  if (definition.cardinality !== 'MULTIPLE' && values.length > 1) {
    faults.push({ path, reason: `has ${String(values.length)} values, and the property takes one` });
  }
  const type = typeOfValues(definition);
  const allowed = definition.allowedValues === undefined ? undefined : listAt(definition, 'allowedValues');
  const allowedTexts = allowed?.map((each) => (isJsonObject(each) ? stringifyJson(each.value ?? null) : ''));
  for (const [at, value] of values.entries()) {
    const plain = toPlainValue(value);
    const fault = type.fault(plain);
    if (fault !== undefined) faults.push({ path: `${path}/${String(at)}`, reason: fault });
    else if (allowedTexts?.includes(stringifyJson(value)) === false) {
      const shown = allowed
        ?.slice(0, 20)
        .map((each) => toText(toPlainValue(isJsonObject(each) ? (each.value ?? null) : null)));
      faults.push({
        path: `${path}/${String(at)}`,
        reason: `${toText(plain).slice(0, 100)} is not one of ${String(shown?.join(', '))}`,
      });
    }
  }
  return faults;
}

function readAssignments(text: string | undefined): readonly JsonObject[] {
  const value = text === undefined ? undefined : parseJson(text);
  return isJsonObject(value) ? listAt(value, 'properties').filter(isJsonObject) : [];
}

/** Different sources may assign values of one property. */
function toKey(assignment: JsonObject): string {
  const { attribution } = assignment;
  return stringifyJson([
    textAt(assignment, 'propertyUrn'),
    isJsonObject(attribution) ? textAt(attribution, 'source') : '',
  ]);
}

function isRemoved(status: string | undefined): boolean {
  const value = status === undefined ? undefined : parseJson(status);
  return isJsonObject(value) && value.removed === true;
}

function textAt(value: JsonObject, member: string): string {
  const text = value[member];
  return typeof text === 'string' ? text : '';
}
