import { parseUrn } from '@stratalog/domain';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';

/** The type of the values of a structured property. */
export interface PropertyType {
  /** Returns why a value is not of the type. */
  readonly fault: (value: JsonValue) => string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the type that a definition names. A type that is not known here takes any value. */
export function typeOfValues(definition: JsonObject): PropertyType {
  switch (nameOfType(toText(definition.valueType))) {
    case 'string':
    case 'rich_text':
      return { fault: (value) => (typeof value === 'string' ? undefined : 'is not a text') };
    case 'number':
      return { fault: (value) => (typeof value === 'string' ? 'is not a number' : undefined) };
    case 'date':
      return { fault: (value) => (isDay(value) ? undefined : 'is not a date such as 2026-01-31') };
    case 'urn':
      return { fault: (value) => urnFault(value, listAllowedTypes(definition)) };
    default:
      return { fault: () => undefined };
  }
}

/** Lists the entity types that urns may have, in lower case; `undefined` for any. */
export function listAllowedTypes({ typeQualifier }: JsonObject): readonly string[] | undefined {
  const types = isJsonObject(typeQualifier) ? typeQualifier.allowedTypes : undefined;
  return Array.isArray(types) ? types.map((type) => nameOfType(toText(type))) : undefined;
}

/** Returns the name that the urn of a data type or entity type stands for, in lower case: `urn:li:entityType:datahub.dataset` is `dataset`. */
export function nameOfType(urn: string): string {
  const parsed = parseUrn(urn);
  const id = 'fault' in parsed ? urn : parsed.urn.id;
  return id.replace(/^datahub\./, '').toLowerCase();
}

/** Returns the text or number of a value, which is stored with its kind. */
export function toPlainValue(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return value.string ?? value.double ?? null;
}

/** Returns a text; of anything else, its JSON text. */
export function toText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** Returns the elements of a list; none for anything else. */
export function listAt(value: JsonObject, member: string): readonly JsonValue[] {
  const list = value[member];
  return Array.isArray(list) ? list : [];
}

function isDay(value: JsonValue): boolean {
  if (typeof value !== 'string' || !DAY.test(value)) return false;
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

function urnFault(value: JsonValue, allowed: readonly string[] | undefined): string | undefined {
  const parsed = typeof value === 'string' ? parseUrn(value) : undefined;
  if (parsed === undefined || 'fault' in parsed) return 'is not a urn';
  const { entityType } = parsed.urn;
  if (allowed === undefined || allowed.includes(entityType.toLowerCase())) return undefined;
  return `is a ${entityType}, and the property takes ${allowed.join(', ') || 'none'}`;
}
