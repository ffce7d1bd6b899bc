import { expect } from '@jest/globals';
import {
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutputObject,
} from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import type { SuiteCatalog } from '../testing/catalog/suite-catalog';

export const TOKEN = 'a-token-of-this-suite';
export const WITH_TOKEN = { authorization: `Bearer ${TOKEN}` };
export const ACTOR = 'urn:li:corpuser:admin';
/** Datasets with five daily profiles each. */
export const URNS = [1, 2, 3].map(
  (n) => `urn:li:dataset:(urn:li:dataPlatform:hive,measured-${String(n)},PROD)`,
);
export const DAY_MS = 86_400_000;
export const START_MS = Date.UTC(2026, 9, 1);

/** The parameters of a truncation of the first days of the profiles. */
export const truncation = (more: JsonOutputObject = {}): JsonOutputObject => ({
  entityType: 'dataset',
  aspect: 'datasetProfile',
  endTimeMillis: START_MS + 2 * DAY_MS,
  ...more,
});

/** A catalog, and calls with the token of its operator. */
export interface OperatorCalls {
  readonly catalog: SuiteCatalog;
  readonly ask: (action: string, body: JsonOutputObject, headers?: Record<string, string>) => Promise<Answer>;
  /** Reads at `/operations/tasks`. */
  readonly get: (path: string) => Promise<Answer>;
  /** Reads the object in the text that `getEsTaskStatus` answers. */
  readonly readEsTaskStatus: (body: JsonOutputObject) => Promise<JsonObject>;
}

export function callAsOperator(catalog: SuiteCatalog): OperatorCalls {
  const ask: OperatorCalls['ask'] = (action, body, headers = WITH_TOKEN) =>
    catalog.http.post(`/operations?action=${action}`, stringifyJson(body), headers);
  return {
    catalog,
    ask,
    get: (path) => catalog.http.get(`/operations/tasks${path}`, WITH_TOKEN),
    readEsTaskStatus: async (body) => {
      const { status, json } = await ask('getEsTaskStatus', body);
      expect(status).toBe(200);
      const inner = parseJson(at(json, 'value') as string);
      return isJsonObject(inner) ? inner : {};
    },
  };
}
