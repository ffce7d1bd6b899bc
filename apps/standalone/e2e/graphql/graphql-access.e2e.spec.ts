import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { sendText } from './graphql-calls';

const OPERATOR = 'an-operators-token-of-our-own';
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const ADA = 'urn:li:corpuser:ada';
const TEXT = `mutation {updateDescription(input: {resourceUrn: "${ORDERS}", description: "By Ada"})}`;
const by = (token: string) => ({ authorization: `Bearer ${token}` });

describe('GraphQL changes by callers with a token', () => {
  const catalog = catalogForSuite({
    environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: OPERATOR },
  });
  const makeToken = async (scopes: readonly string[]): Promise<string> => {
    const grant = { name: 'a client', actor: ADA, scopes: [...scopes] };
    const answer = await catalog.http.post(
      '/operations?action=createToken',
      stringifyJson(grant),
      by(OPERATOR),
    );
    return at(answer.json, 'value', 'token') as string;
  };
  const aspects = async () =>
    (await catalog.http.get(`/entitiesV2/${encodeURIComponent(ORDERS)}`, by(OPERATOR))).json;

  beforeAll(async () => {
    const value = { name: 'orders' };
    await catalog.http.ingest({ urn: ORDERS, aspectName: 'datasetProperties', value, headers: by(OPERATOR) });
  });

  it('need the scope write, and say so', async () => {
    const answer = await sendText(catalog.http, TEXT, {}, by(await makeToken(['read'])));
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('write')]);
    expect(answer.json).toMatchObject({ data: { updateDescription: null } });
    expect(stringifyJson(at(await aspects(), 'aspects') ?? null)).not.toContain('By Ada');
  });

  it('are written as those of the caller', async () => {
    const answer = await sendText(catalog.http, TEXT, {}, by(await makeToken(['read', 'write'])));
    expect(answer.json).toEqual({ data: { updateDescription: true } });
    expect(at(await aspects(), 'aspects', 'editableDatasetProperties')).toMatchObject({
      value: { description: 'By Ada' },
      created: { actor: ADA },
    });
  });
});
