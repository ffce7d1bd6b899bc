import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/model';

/** The folder of files that real connectors wrote. They are not part of the tree; CONTRIBUTING.md says what the folder holds. */
export const CONNECTOR_FOLDER = join(process.env.STRATALOG_CONNECTOR_DATA ?? '', 'data');
export const hasConnectorFiles =
  process.env.STRATALOG_CONNECTOR_DATA !== undefined && existsSync(CONNECTOR_FOLDER);

export function readConnectorRecords(file: string): readonly JsonObject[] {
  return parseJson(readFileSync(join(CONNECTOR_FOLDER, file), 'utf8')) as JsonObject[];
}

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
