import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { ask, faultsOf, sendText } from './graphql-calls';

const urnOf = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.${name},PROD)`;
const columnOf = (name: string): string => `urn:li:schemaField:(${urnOf(name)},id)`;
const STAMP = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:baker' };
const PRODUCT = 'urn:li:dataProduct:bread';
const CHECK = 'urn:li:assertion:many';
const VIEW = 'urn:li:dataHubView:tags-only';
const MANY = 1_000;
/** Beyond the numbers that are exact in JavaScript, and beyond those of a store. */
const LARGE = [9_007_199_254_740_993n, 9_223_372_036_854_775_807n];

describe('What GraphQL is given', () => {
  const catalog = catalogForSuite();
  const urnsOf = (found: unknown): readonly string[] =>
    (found as { readonly searchResults: readonly JsonObject[] }).searchResults.map(
      (each) => at(each, 'entity', 'urn') as string,
    );

  beforeAll(async () => {
    const { http } = catalog;
    const write = http.write.bind(http);
    for (const [name, upstreams] of [
      ['a', []],
      ['b', ['a']],
      ['c', ['b']],
      ['d', ['c']],
    ] as const) {
      await write(urnOf(name), 'datasetProperties', { name, customProperties: {} });
      if (upstreams.length === 0) continue;
      await write(urnOf(name), 'upstreamLineage', {
        upstreams: upstreams.map((each) => ({
          dataset: urnOf(each),
          type: 'TRANSFORMED',
          auditStamp: STAMP,
        })),
        fineGrainedLineages: upstreams.map((each) => ({
          upstreamType: 'FIELD_SET',
          upstreams: [columnOf(each)],
          downstreamType: 'FIELD',
          downstreams: [columnOf(name)],
        })),
      });
    }
    await write(PRODUCT, 'dataProductProperties', {
      name: 'Bread',
      assets: ['a', 'b', 'c'].map((name) => ({ destinationUrn: urnOf(name) })),
    });
    await write('urn:li:tag:kneaded', 'tagProperties', { name: 'kneaded' });
    for (const [name, sourceType, parent] of [
      ['recipe', 'NATIVE', undefined],
      ['page', 'EXTERNAL', undefined],
      ['chapter', 'NATIVE', 'urn:li:document:recipe'],
    ] as const) {
      await write(`urn:li:document:${name}`, 'documentInfo', {
        title: name,
        source: { sourceType },
        status: { state: 'PUBLISHED' },
        contents: { text: name },
        created: STAMP,
        lastModified: STAMP,
        relatedAssets: [{ asset: urnOf('a') }],
        ...(parent === undefined ? {} : { parentDocument: { document: parent } }),
        customProperties: {},
      });
    }
    await write('urn:li:document:recipe', 'subTypes', { typeNames: ['Recipe'] });
    await write('urn:li:document:page', 'domains', { domains: ['urn:li:domain:oven'] });
    await write('urn:li:structuredProperty:shelf', 'propertyDefinition', {
      qualifiedName: 'shelf',
      valueType: 'urn:li:dataType:of-nowhere',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
      cardinality: 'SINGLE',
    });
    await write('urn:li:structuredProperty:lost', 'propertyDefinition', {
      qualifiedName: 'lost',
      valueType: 'urn:li:dataType:datahub.string',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
    });
    await write(urnOf('a'), 'structuredProperties', {
      properties: ['lost', 'shelf'].map((name) => ({
        propertyUrn: `urn:li:structuredProperty:${name}`,
        values: [{ string: name }],
      })),
    });
    await http.ingest({
      urn: 'urn:li:structuredProperty:lost',
      aspectName: 'structuredPropertyKey',
      value: {},
      members: { changeType: 'DELETE', aspect: undefined },
    });
    await write(VIEW, 'dataHubViewInfo', {
      name: 'Tags',
      type: 'GLOBAL',
      definition: {
        entityTypes: [],
        filter: { or: [{ and: [{ field: '_entityType', condition: 'EQUAL', values: ['TAG'] }] }] },
      },
      created: STAMP,
      lastModified: STAMP,
    });
    await http.caughtUp();
  });

  describe('about lineage', () => {
    const TEXT = `query ($input: SearchAcrossLineageInput!) {searchAcrossLineage(input: $input) {total searchResults {degree entity {urn}}}}`;
    const find = async (given: JsonOutputObject): Promise<JsonObject> => {
      const input = { urn: columnOf('a'), direction: 'DOWNSTREAM', query: '*', ...given };
      return (await ask(catalog.http, TEXT, { input })).searchAcrossLineage as JsonObject;
    };
    const BY_COLUMN = {
      searchFlags: {
        groupingSpec: {
          groupingCriteria: { baseEntityType: 'SCHEMA_FIELD', groupingEntityType: 'SCHEMA_FIELD' },
        },
      },
    };
    const ofDegrees = (...values: readonly string[]) => ({
      orFilters: [{ and: [{ field: 'degree', values }] }],
    });

    it('a degree selects columns before they are paged', async () => {
      const found = await find({ ...BY_COLUMN, ...ofDegrees('2'), start: 0, count: 1 });
      expect([found.total, urnsOf(found)]).toEqual([1, [columnOf('c')]]);
      const further = await find({ ...BY_COLUMN, ...ofDegrees('1', '3+'), start: 1, count: 1 });
      expect([further.total, urnsOf(further)]).toEqual([2, [columnOf('d')]]);
    });

    it('a range that ends before it starts is rejected, and hops that are to be ignored', async () => {
      const input = { urn: urnOf('a'), direction: 'DOWNSTREAM' };
      const fault = async (given: JsonOutputObject) =>
        (await faultsOf(catalog.http, TEXT, { input: { ...input, ...given } })).join();
      expect(await fault({ startTimeMillis: 2, endTimeMillis: 1 })).toContain('endTimeMillis: is before');
      expect(await fault({ lineageFlags: { startTimeMillis: 2, endTimeMillis: 1 } })).toContain('is before');
      expect(await fault({ lineageFlags: { ignoreAsHops: [{ entityType: 'DATA_JOB' }] } })).toContain(
        'lineageFlags/ignoreAsHops',
      );
      expect(await fault({ startTimeMillis: -1 })).toContain('startTimeMillis');
    });
  });

  describe('about relationships', () => {
    const ask1 = (input: JsonOutputObject) =>
      faultsOf(
        catalog.http,
        'query ($urn: String!, $input: RelationshipsInput!) {entity(urn: $urn) {relationships(input: $input) {total}}}',
        { urn: urnOf('a'), input: { direction: 'INCOMING', types: ['DownstreamOf'], ...input } },
      );

    it('is rejected where nothing reads it, and the message names it', async () => {
      expect(await ask1({})).toEqual([]);
      expect(await ask1({ includeSoftDelete: true })).toEqual([]);
      expect((await ask1({ includeSoftDelete: false })).join()).toContain('includeSoftDelete');
      expect((await ask1({ relatedEntityTypes: ['DATASET'] })).join()).toContain('relatedEntityTypes');
    });

    it('with a NUL is rejected', async () => {
      expect((await ask1({ types: ['Downstream\u0000Of'] })).join()).toContain('NUL');
    });
  });

  it('narrows the documents about an entity', async () => {
    const text = `query ($urn: String!, $input: RelatedDocumentsInput!) {entity(urn: $urn) {... on Dataset {relatedDocuments(input: $input) {total documents {urn}}}}}`;
    const find = async (input: JsonOutputObject): Promise<readonly string[]> => {
      const { entity } = await ask(catalog.http, text, { urn: urnOf('a'), input });
      const documents = at(entity, 'relatedDocuments', 'documents') as unknown as readonly { urn: string }[];
      return documents.map(({ urn }) => urn.slice('urn:li:document:'.length)).toSorted();
    };
    expect(await find({})).toEqual(['chapter', 'page', 'recipe']);
    expect(await find({ sourceType: 'EXTERNAL' })).toEqual(['page']);
    expect(await find({ rootOnly: true })).toEqual(['page', 'recipe']);
    expect(await find({ parentDocuments: ['urn:li:document:recipe'] })).toEqual(['chapter']);
    expect(await find({ types: ['Recipe'] })).toEqual(['recipe']);
    expect(await find({ domains: ['urn:li:domain:oven'] })).toEqual(['page']);
  });

  it('narrows the entities of a data product', async () => {
    const text = `query ($urn: String!, $input: SearchAcrossEntitiesInput) {entity(urn: $urn) {... on DataProduct {entities(input: $input) {total searchResults {entity {urn}} facets {field}}}}}`;
    const find = async (input: JsonOutputObject | null): Promise<JsonObject> =>
      at((await ask(catalog.http, text, { urn: PRODUCT, input })).entity, 'entities') as JsonObject;
    expect((await find(null)).total).toBe(3);
    const filters = [{ field: 'name', values: ['b'] }];
    expect(urnsOf(await find({ query: '*', filters }))).toEqual([urnOf('b')]);
    expect((await find({ query: '*', types: ['TAG'] })).total).toBe(0);
    expect((await find({ query: '*', start: 1, count: 1 })).total).toBe(3);
  });

  it('is the flag of a search that nothing reads: it is rejected', async () => {
    const text =
      'query ($flags: SearchFlags) {searchAcrossEntities(input: {query: "*", searchFlags: $flags}) {total}}';
    for (const flag of ['filterNonLatestVersions', 'includeStructuredPropertyFacets']) {
      expect((await faultsOf(catalog.http, text, { flags: { [flag]: true } })).join()).toContain(flag);
      expect(await faultsOf(catalog.http, text, { flags: { [flag]: false } })).toEqual([]);
    }
  });

  it('is the name of an entity type in the filter of a view', async () => {
    const text =
      'query ($viewUrn: String) {searchAcrossEntities(input: {query: "*", viewUrn: $viewUrn}) {searchResults {entity {urn}}}}';
    const found = (await ask(catalog.http, text, { viewUrn: VIEW })).searchAcrossEntities;
    expect(urnsOf(found)).toEqual(['urn:li:tag:kneaded']);
  });

  it('is a number of any size, which never fails the call', async () => {
    for (const large of LARGE) {
      for (const [text, variables] of [
        ['query ($urn: String!, $at: Long) {dataset(urn: $urn) {schemaMetadata(version: $at) {name}}}', {}],
        [
          'query ($urn: String!, $at: Long) {dataset(urn: $urn) {operations(startTimeMillis: $at) {actor}}}',
          {},
        ],
        ['query ($urn: String!, $at: Int) {dataset(urn: $urn) {operations(limit: $at) {actor}}}', {}],
        [
          'query ($urn: String!, $at: Long) {searchAcrossLineage(input: {urn: $urn, direction: UPSTREAM, endTimeMillis: $at}) {total}}',
          {},
        ],
      ] as const) {
        const answer = await sendText(catalog.http, text, { ...variables, urn: urnOf('a'), at: large });
        expect([text, answer.status]).toEqual([text, 200]);
      }
    }
  });

  it('leaves a structured property without a definition out, and no other one', async () => {
    const text = `query ($urn: String!) {entity(urn: $urn) {... on Dataset {structuredProperties {properties {structuredProperty {urn definition {qualifiedName valueType {urn info {qualifiedName}}}} values {... on StringValue {stringValue}}}}}}}`;
    const { entity } = await ask(catalog.http, text, { urn: urnOf('a') });
    expect(entity).toEqual({
      structuredProperties: {
        properties: [
          {
            structuredProperty: {
              urn: 'urn:li:structuredProperty:shelf',
              definition: {
                qualifiedName: 'shelf',
                valueType: { urn: 'urn:li:dataType:of-nowhere', info: { qualifiedName: 'of-nowhere' } },
              },
            },
            values: [{ stringValue: 'shelf' }],
          },
        ],
      },
    });
  });

  it('reads as many run events as it asks for', async () => {
    const { http } = catalog;
    await http.write(CHECK, 'assertionInfo', {
      type: 'DATASET',
      datasetAssertion: { dataset: urnOf('a'), scope: 'DATASET_ROWS', operator: '_NATIVE_' },
      customProperties: {},
    });
    const long = 'x'.repeat(10_000);
    for (let start = 0; start < MANY; start += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_each, nth) =>
          http.write(CHECK, 'assertionRunEvent', {
            timestampMillis: STAMP.time + start + nth,
            runId: String(start + nth),
            asserteeUrn: urnOf('a'),
            assertionUrn: CHECK,
            status: 'COMPLETE',
            result: { type: 'SUCCESS', nativeResults: { log: long } },
          }),
        ),
      );
    }
    const text =
      'query ($urn: String!, $limit: Int) {entity(urn: $urn) {... on Assertion {runEvents(limit: $limit) {total succeeded}}}}';
    expect(await ask(http, text, { urn: CHECK, limit: MANY })).toEqual({
      entity: { runEvents: { total: MANY, succeeded: MANY } },
    });
  });
});
