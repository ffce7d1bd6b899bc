import { isJsonObject, type JsonValue } from '@stratalog/json';

const AVRO = 'com.linkedin.pegasus2avro.';

/** Returns the model's record name for the name of an Avro-based producer. */
export function modelNameOf(name: string): string {
  return name.replace(AVRO, 'com.linkedin.');
}

/**
 * Converts a value to its stored form: without nulls, and with unions keyed by the names of the model instead
 * of Avro's.
 */
export function asStored(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(asStored);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === null ? [] : [[modelNameOf(name), asStored(inner)]],
    ),
  );
}
