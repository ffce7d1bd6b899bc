import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';

/** Parts of answers, whatever stands there: what a catalog of another version leaves out or changes shows as nothing. */

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
