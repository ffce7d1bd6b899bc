import { expect, it } from '@jest/globals';
import type { JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const ATTRIBUTE = 'urn:li:businessAttribute:7f3a';
const OTHER = 'urn:li:businessAttribute:other';
/** More than one page of referrers. */
const COLUMNS = Array.from(
  { length: 230 },
  (_, n) => `urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD),c${String(n)})`,
);
const ELSEWHERE = 'urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,places,PROD),code)';
const PROPERTY = 'urn:li:structuredProperty:retention';
const TYPE = 'urn:li:dataType:months';
const TOKEN = 'the-token-of-the-operator';
const WITH_TOKEN = { authorization: `Bearer ${TOKEN}` };

/** Searches by fields of referenced entities, and urns whose entities should exist, on a catalog with these settings. */
export function referencedFieldsSuite(environment: Readonly<Record<string, string>>, waitMs?: number): void {
  const catalog = catalogForSuite({
    environment: { ...environment, STRATALOG_TOKEN: TOKEN, STRATALOG_URN_EXISTENCE: 'reject' },
  });
  const name = (urn: string, text: string): Promise<string> =>
    catalog.http.write(urn, 'businessAttributeInfo', {
      fieldPath: 'f',
      name: text,
      description: 'for columns',
    });
  const refer = (column: string, businessAttributeUrn: string): Promise<string> =>
    catalog.http.write(column, 'businessAttributes', { businessAttribute: { businessAttributeUrn } });
  const count = async (input: string): Promise<number> =>
    (await catalog.http.find(input, { entity: 'schemaField', count: 0 })).total;
  const untilCount = (input: string, total: number): Promise<void> =>
    until(async () => (await count(input)) === total, waitMs);

  it('finds columns by the name of their attribute, and after each change of it', async () => {
    await Promise.all(COLUMNS.map((column) => refer(column, ATTRIBUTE)));
    await refer(ELSEWHERE, OTHER);
    // The attribute comes after its referrers.
    await name(OTHER, 'Postal code');
    await name(ATTRIBUTE, 'Customer number');
    await untilCount('customer number', COLUMNS.length);
    await untilCount('businessAttributeRef.name:postal', 1);

    await name(ATTRIBUTE, 'Buyer identity');
    await untilCount('buyer identity', COLUMNS.length);
    await untilCount('customer number', 0);
  });

  it('tells why such a column is found', async () => {
    const query = encodeURIComponent('buyer identity');
    const { status, json } = await catalog.http.get(
      `/operations/search/explain?urn=${encodeURIComponent(COLUMNS[0] ?? '')}&entity=schemaField&query=${query}`,
      WITH_TOKEN,
    );
    expect([status, at(json, 'found')]).toEqual([200, true]);
    expect(at(json, 'document', 'words', 'businessAttributeRef.name')).toContain('buyer');
  });

  it('no longer finds them once the attribute is deleted', async () => {
    const body = JSON.stringify({ urn: ATTRIBUTE });
    const answer = await catalog.http.post('/entities?action=delete', body, WITH_TOKEN);
    expect(answer.status).toBe(200);
    await untilCount('buyer identity', 0);
    expect(await count('*')).toBe(COLUMNS.length + 1);
  });

  const property = (more: JsonOutputObject = {}) => ({
    urn: PROPERTY,
    aspectName: 'propertyDefinition',
    value: {
      qualifiedName: 'retention',
      valueType: TYPE,
      entityTypes: ['urn:li:entityType:dataset'],
      ...more,
    },
  });

  it('rejects a urn without an entity where the model expects one', async () => {
    const rejected = await catalog.http.ingest(property());
    expect([rejected.status, at(rejected.json, 'message')]).toEqual([
      422,
      `The entity ${TYPE} of /valueType does not exist`,
    ]);
    expect((await catalog.http.aspect(PROPERTY, 'propertyDefinition')).status).toBe(404);

    await catalog.http.write(TYPE, 'dataTypeInfo', { qualifiedName: 'months' });
    const half = await catalog.http.ingest(property());
    expect(at(half.json, 'message')).toBe(
      'The entity urn:li:entityType:dataset of /entityTypes/0 does not exist',
    );
    await catalog.http.write('urn:li:entityType:dataset', 'entityTypeInfo', { qualifiedName: 'dataset' });
    expect((await catalog.http.ingest(property())).status).toBe(200);
  });

  it('accepts a urn whose entity the same batch writes', async () => {
    const proposal = (urn: string, aspectName: string, value: JsonOutputObject) => ({
      entityType: urn.split(':')[2] ?? '',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName,
      aspect: { value: JSON.stringify(value), contentType: 'application/json' },
    });
    const days = 'urn:li:dataType:days';
    const definition = proposal(`${PROPERTY}2`, 'propertyDefinition', {
      ...property().value,
      valueType: days,
    });
    const send = (proposals: readonly JsonOutputObject[]) =>
      catalog.http.post('/aspects?action=ingestProposalBatch', JSON.stringify({ proposals }));

    const rejected = await send([definition]);
    expect([rejected.status, at(rejected.json, 'message')]).toEqual([
      422,
      `/proposals/0 :: The entity ${days} of /valueType does not exist`,
    ]);
    expect((await send([definition, proposal(days, 'dataTypeInfo', { qualifiedName: 'days' })])).status).toBe(
      200,
    );
  });
}
