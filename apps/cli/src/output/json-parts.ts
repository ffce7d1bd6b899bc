import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';

/**
 * Readers of answers that tolerate any value: a member that another version of the catalog omits or changes
 * reads as empty.
 */

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function toList(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

export function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
