import { stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import { at, type CatalogClient } from '../catalog/catalog-client';
import type { Answer } from '../catalog/raw-http';

export interface LineageEntry {
  readonly entity: string;
  readonly type: string;
  readonly degree: number;
  readonly paths: readonly (readonly string[])[];
}

/** The members of an answer of `getLineage`, as they came. */
export interface LineageAnswer extends JsonObject {
  readonly total: number;
}

export function postLineage(
  http: CatalogClient,
  action: string,
  body: JsonOutputObject,
  waitFor?: string,
): Promise<Answer> {
  const headers = waitFor === undefined ? {} : { 'X-Stratalog-Wait-For': waitFor };
  return http.post(`/relationships?action=${action}`, stringifyJson(body), headers);
}

/** **Errors**: rejects when the catalog rejects. */
export async function readLineage(
  http: CatalogClient,
  body: JsonOutputObject,
  waitFor?: string,
): Promise<LineageAnswer> {
  const answer = await postLineage(http, 'getLineage', body, waitFor);
  if (answer.status !== 200) throw new Error(answer.body);
  return at(answer.json, 'value') as LineageAnswer;
}

export function readEntries(answer: LineageAnswer): readonly LineageEntry[] {
  return answer.relationships as unknown as readonly LineageEntry[];
}

/** Returns `<degree> <urn>` for each entity, in the order of the answer. */
export async function readDegrees(
  http: CatalogClient,
  body: JsonOutputObject,
  waitFor?: string,
): Promise<readonly string[]> {
  const entries = readEntries(await readLineage(http, body, waitFor));
  return entries.map(({ degree, entity }) => `${String(degree)} ${entity}`);
}
