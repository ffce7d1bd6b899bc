import { stringifyJson, type JsonOutput, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { SuiteCatalog } from '../testing/catalog/suite-catalog';

export const AUDITOR = 'urn:li:corpuser:__datahub_system';
export const OWNED = { property: 'ownership.owners.owner', operator: 'exists' };
export const DESCRIBED = { property: 'datasetProperties.description', operator: 'exists' };

export type TestCalls = ReturnType<typeof callTests>;

/** Makes datasets and metadata tests of new names, and evaluates them. */
export function callTests(catalog: SuiteCatalog) {
  let count = 0;
  const nextNumber = (): number => ++count;
  const newDataset = async (description?: string): Promise<string> => {
    const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,tested${String(nextNumber())},PROD)`;
    await catalog.http.write(urn, 'datasetProperties', description === undefined ? {} : { description });
    return urn;
  };
  const toInfo = (definition: JsonOutputObject | string): JsonOutputObject => ({
    name: 'A test',
    category: 'Completeness',
    definition: {
      type: 'JSON',
      json: typeof definition === 'string' ? definition : stringifyJson(definition),
    },
  });
  const newTest = async (rules: JsonOutput, types = ['dataset']): Promise<string> => {
    const urn = `urn:li:test:t${String(nextNumber())}`;
    await catalog.http.write(urn, 'testInfo', toInfo({ on: { types }, rules }));
    return urn;
  };
  const evaluate = (parameters: JsonOutputObject, prefix = '') =>
    catalog.http.post(`${prefix}/test?action=evaluate`, stringifyJson(parameters));
  const readResults = async (urn: string): Promise<JsonValue | undefined> => {
    const { json } = await catalog.http.entity(urn, '?aspects=List(testResults)');
    return at(json, 'aspects', 'testResults', 'value');
  };
  return { catalog, nextNumber, newDataset, toInfo, newTest, evaluate, readResults };
}
