import { expect } from '@jest/globals';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { at, type CatalogClient } from '../catalog/catalog-client';
import { asStored } from './connector-records';

export interface SentTimeseriesValue {
  readonly urn: string;
  readonly entityType: string;
  readonly aspectName: string;
  readonly json: JsonObject;
}

/** Expects the sent value among the stored values of its timestamp. */
export async function expectTimeseriesValueStored(
  http: CatalogClient,
  timeseriesValue: SentTimeseriesValue,
): Promise<void> {
  const { urn, entityType, aspectName, json } = timeseriesValue;
  const moment = json.timestampMillis ?? null;
  const answer = await http.post(
    '/aspects?action=getTimeseriesAspectValues',
    stringifyJson({
      urn,
      entity: entityType,
      aspect: aspectName,
      startTimeMillis: moment,
      endTimeMillis: moment,
    }),
  );
  const values = at(answer.json, 'value', 'values') as readonly JsonValue[];
  const texts = values.map((each) => canonicalText(parseJson(at(each, 'aspect', 'value') as string)));
  expect(texts).toContain(canonicalText(json));
}

/** Returns one text for all spellings of a value. */
export function canonicalText(value: JsonValue): string {
  return stringifyJson(sorted(asStored(value)));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, inner]) => [name, sorted(inner)]));
}
