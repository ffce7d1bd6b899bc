import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';

/**
 * Readers of values whose members no route describes: aspects, and outcomes of tasks. A member that is missing, or of another
 * type, reads as empty.
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
