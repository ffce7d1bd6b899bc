import { parseUrn, propertyFieldName, type FieldValue } from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';

/** The aspect with the values of structured properties. */
export const PROPERTIES_ASPECT = 'structuredProperties';

/** Most structured properties of an entity that are searched. */
const MAX_PROPERTIES = 200;

/**
 * Lists the values of an entity's structured properties by search field. The name of a property is in its urn, so a document does not depend on the
 * definition.
 */
export function listPropertyValues(aspect: JsonValue): ReadonlyMap<string, readonly FieldValue[]> {
  const fields = new Map<string, readonly FieldValue[]>();
  for (const assignment of objectsIn(aspect, 'properties')) {
    if (fields.size === MAX_PROPERTIES) break;
    const parsed = parseUrn(typeof assignment.propertyUrn === 'string' ? assignment.propertyUrn : '');
    const values = objectsIn(assignment, 'values').flatMap(({ string, double }) => string ?? double ?? []);
    const known = values.filter((value) => typeof value === 'string' || typeof value === 'number');
    if (!('urn' in parsed) || known.length === 0) continue;
    const name = propertyFieldName(parsed.urn.id);
    fields.set(name, [...new Set([...(fields.get(name) ?? []), ...known])]);
  }
  return fields;
}

function objectsIn(value: JsonValue, member: string): readonly JsonObject[] {
  const list = isJsonObject(value) ? value[member] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
