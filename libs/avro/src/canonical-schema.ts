import { createHash } from 'node:crypto';
import { isJsonObject, parseJson, stringifyJson, type JsonOutput, type JsonValue } from '@stratalog/json';

/** Normalizes a schema's text: removes white space and sorts members. */
export function canonicalSchema(text: string): string {
  return stringifyJson(sorted(parseJson(text)));
}

/** Hashes a schema; texts of one schema have equal hashes. SHA-256, hex. */
export function computeFingerprint(text: string): string {
  return createHash('sha256').update(canonicalSchema(text), 'utf8').digest('hex');
}

function sorted(value: JsonValue): JsonOutput {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]));
}
