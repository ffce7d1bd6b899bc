import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { ask, faultsOf, sendText } from './graphql-calls';

const urnOf = (name: string, platform = 'mysql'): string =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},bakery.${name},PROD)`;
const ORDERS = urnOf('orders');
const FLOUR = urnOf('flour', 'kafka');
const GONE = urnOf('gone');
const COLUMN = `urn:li:schemaField:(${ORDERS},id)`;
const OVEN = 'urn:li:container:oven';
const BAKER = 'urn:li:corpuser:baker';
const TERM = 'urn:li:glossaryTerm:Bread.Rye';
const VIEW = 'urn:li:dataHubView:kafka-only';

const SCROLL = `query scrollUrnsWithFilters($types: [EntityType!], $query: String!, $orFilters: [AndFilterInput!], $batchSize: Int!,
  $scrollId: String, $skipCache: Boolean!, $sortInput: SearchSortInput, $includeSoftDeleted: Boolean) {
  scrollAcrossEntities(input: {query: $query, count: $batchSize, scrollId: $scrollId, types: $types, orFilters: $orFilters, sortInput: $sortInput,
    searchFlags: {skipHighlighting: true, skipAggregates: true, skipCache: $skipCache, includeSoftDeleted: $includeSoftDeleted}}) {
    nextScrollId searchResults { entity { urn } extraProperties { name value } } } }`;

describe('GraphQL', () => {
  const catalog = catalogForSuite();
  const filters = (...and: readonly JsonOutputObject[]): JsonOutputObject => ({ orFilters: [{ and }] });
  const NOT_REMOVED = { field: 'removed', values: ['true'], condition: 'EQUAL', negated: true };

  /** Scrolls as the Python client does. */
  const scroll = async (given: JsonOutputObject = {}): Promise<readonly string[]> => {
    const urns: string[] = [];
    let scrollId: string | null = null;
    do {
      const sent: JsonOutputObject = {
        query: '*',
        batchSize: 2,
        skipCache: false,
        types: null,
        ...given,
        scrollId,
      };
      const page = (await ask(catalog.http, SCROLL, sent)).scrollAcrossEntities as JsonObject;
      for (const result of page.searchResults as readonly JsonObject[]) {
        urns.push(at(result, 'entity', 'urn') as string);
      }
      scrollId = page.nextScrollId as string | null;
    } while (scrollId !== null);
    return urns;
  };

  beforeAll(async () => {
    const { http } = catalog;
    const write = http.write.bind(http);
    await write('urn:li:dataPlatform:mysql', 'dataPlatformInfo', {
      name: 'mysql',
      displayName: 'MySQL',
      type: 'RELATIONAL_DB',
      datasetNameDelimiter: '.',
    });
    await write(BAKER, 'corpUserInfo', {
      active: true,
      displayName: 'Bea Baker',
      email: 'bea@bakery.example',
    });
    await write('urn:li:domain:shop', 'domainProperties', { name: 'Shop' });
    await write('urn:li:tag:daily', 'tagProperties', {
      name: 'Daily',
      description: 'Every day',
      colorHex: '#fff',
    });
    await write(TERM, 'glossaryTermInfo', { name: 'Rye', definition: 'Dark', termSource: 'INTERNAL' });
    await write(OVEN, 'containerProperties', { name: 'Oven' });
    await write(ORDERS, 'datasetProperties', {
      name: 'Orders',
      description: 'What people want',
      customProperties: { shelf: '3' },
    });
    await write(ORDERS, 'schemaMetadata', schemaOf(['id', 'bread']));
    await write(ORDERS, 'schemaMetadata', schemaOf(['id', 'bread', 'price']));
    await write(ORDERS, 'ownership', {
      owners: [{ owner: BAKER, type: 'DATAOWNER' }],
      lastModified: { time: 0, actor: BAKER },
    });
    await write(ORDERS, 'globalTags', {
      tags: [{ tag: 'urn:li:tag:daily' }, { tag: 'urn:li:tag:never-written' }],
    });
    await write(ORDERS, 'glossaryTerms', { terms: [{ urn: TERM }], auditStamp: { time: 0, actor: BAKER } });
    await write(ORDERS, 'domains', { domains: ['urn:li:domain:shop'] });
    await write(ORDERS, 'container', { container: OVEN });
    await write(FLOUR, 'upstreamLineage', {
      upstreams: [{ dataset: ORDERS, type: 'TRANSFORMED', auditStamp: { time: 0, actor: BAKER } }],
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          upstreams: [COLUMN],
          downstreamType: 'FIELD',
          downstreams: [`urn:li:schemaField:(${FLOUR},key)`],
        },
      ],
    });
    await write(GONE, 'status', { removed: true });
    await write('urn:li:dataHubPolicy:open', 'dataHubPolicyInfo', {
      displayName: 'Open',
      description: '',
      type: 'METADATA',
      state: 'ACTIVE',
      privileges: [],
      actors: { resourceOwners: false, allUsers: false, allGroups: false },
      editable: true,
    });
    await write(VIEW, 'dataHubViewInfo', {
      name: 'Kafka',
      type: 'GLOBAL',
      definition: {
        entityTypes: ['dataset'],
        filter: {
          or: [
            {
              and: [
                { field: 'platform', condition: 'EQUAL', value: '', values: ['urn:li:dataPlatform:kafka'] },
              ],
            },
          ],
        },
      },
      created: { time: 0, actor: BAKER },
      lastModified: { time: 0, actor: BAKER },
    });
    await http.caughtUp();
  });

  describe('scrolls', () => {
    it('reads every entity once, and ends with null', async () => {
      const urns = await scroll(filters(NOT_REMOVED));
      expect(urns.toSorted()).toEqual(
        [
          ORDERS,
          FLOUR,
          OVEN,
          BAKER,
          TERM,
          VIEW,
          'urn:li:dataHubPolicy:open',
          'urn:li:dataPlatform:mysql',
          'urn:li:domain:shop',
          'urn:li:tag:daily',
        ].toSorted(),
      );
    });

    it('takes both spellings of entity types, and values in the text', async () => {
      expect(await scroll({ types: ['POLICY'] })).toEqual(['urn:li:dataHubPolicy:open']);
      expect(await scroll({ types: ['DATAHUB_POLICY'] })).toEqual(['urn:li:dataHubPolicy:open']);
      expect(await scroll({ types: ['RESTRICTED'] })).toEqual([]);
      const text =
        '{scrollAcrossEntities(input: {query: "*", types: [CORP_USER], count: 5}) {count total searchResults {entity {urn type}}}}';
      expect(await ask(catalog.http, text)).toEqual({
        scrollAcrossEntities: {
          count: 1,
          total: 1,
          searchResults: [{ entity: { urn: BAKER, type: 'CORP_USER' } }],
        },
      });
    });

    it('lets a field that no searched type has match nothing, negated everything, and says so', async () => {
      const types = ['DATASET'];
      const nowhere = { field: 'env', values: ['PROD'] };
      expect(await scroll({ types, ...filters(nowhere) })).toEqual([]);
      expect(await scroll({ types, ...filters({ ...nowhere, negated: true }) })).toEqual([FLOUR, ORDERS]);
      const either = { orFilters: [{ and: [nowhere] }, { and: [{ field: 'origin', values: ['PROD'] }] }] };
      expect(await scroll({ types, ...either })).toEqual([FLOUR, ORDERS]);
      const sent = { query: '*', batchSize: 2, skipCache: false, types, ...either };
      const answer = await sendText(catalog.http, SCROLL, sent);
      expect(answer.headers['x-stratalog-warnings']).toContain(
        'env is a field of none of the searched types',
      );
      const strict = await sendText(catalog.http, SCROLL, sent, { 'X-Stratalog-Strict': 'true' });
      expect(strict.json).toMatchObject({
        errors: [{ message: expect.stringContaining('env is a field of none') as unknown }],
      });
    });

    it('includes the soft-deleted as the client asks for them', async () => {
      const types = ['DATASET'];
      const removed = { field: 'removed', values: ['true'] };
      expect(await scroll({ types })).toEqual([FLOUR, ORDERS]);
      expect(await scroll({ types, includeSoftDeleted: true })).toEqual([FLOUR, GONE, ORDERS]);
      expect(await scroll({ types, includeSoftDeleted: true, ...filters(removed) })).toEqual([GONE]);
    });

    it.each<[string, JsonOutputObject, readonly string[]]>([
      [
        'entity types by their names',
        { field: '_entityType', values: ['DOMAIN', 'CORP_USER'] },
        [BAKER, 'urn:li:domain:shop'],
      ],
      [
        'platforms',
        { field: 'platform.keyword', values: ['urn:li:dataPlatform:kafka'], condition: 'EQUAL' },
        [FLOUR],
      ],
      ['containers', { field: 'container', values: [OVEN] }, [ORDERS]],
      ['custom properties', { field: 'customProperties', values: ['shelf=3'] }, [ORDERS]],
      ['urns', { field: 'urn', values: [ORDERS] }, [ORDERS]],
      ['owners', { field: 'owners', condition: 'IN', values: [BAKER] }, [ORDERS]],
    ])('filters by %s', async (_title, criterion, expected) => {
      expect(new Set(await scroll(filters(criterion)))).toEqual(new Set(expected));
    });

    it('reads schemas page by page', async () => {
      const text = `query scrollUrnsWithFilters($types: [EntityType!], $query: String!) {scrollAcrossEntities(input: {query: $query count: 100 types: $types
        searchFlags: {skipHighlighting: true, skipAggregates: true}}) {nextScrollId searchResults {entity {urn ... on Dataset {schemaMetadata(version: 0) {fields
        {fieldPath nativeDataType}}}}}}}`;
      expect(await ask(catalog.http, text, { types: ['DATASET'], query: '*' })).toEqual({
        scrollAcrossEntities: {
          nextScrollId: null,
          searchResults: [
            { entity: { urn: FLOUR, schemaMetadata: null } },
            {
              entity: {
                urn: ORDERS,
                schemaMetadata: {
                  fields: ['id', 'bread', 'price'].map((fieldPath) => ({
                    fieldPath,
                    nativeDataType: 'text',
                  })),
                },
              },
            },
          ],
        },
      });
    });

    it('rejects a page beyond the window, and a scroll of another search', async () => {
      expect(
        await faultsOf(catalog.http, SCROLL, { query: '*', batchSize: 10_001, skipCache: false }),
      ).toEqual(['input/count: must be from 1 to 10000']);
      const [fault] = await faultsOf(catalog.http, SCROLL, {
        query: '*',
        batchSize: 1,
        skipCache: false,
        scrollId: 'x',
      });
      expect(fault).toContain('scrollId');
    });
  });

  it('searches with facets, and with a view', async () => {
    const text = `query ($viewUrn: String) {searchAcrossEntities(input: {query: "*", types: [DATASET], viewUrn: $viewUrn, start: 0, count: 1,
      sortInput: {sortCriteria: [{field: "urn", sortOrder: DESCENDING}]}, searchFlags: {maxAggValues: 2}}) {
      start count total searchResults {entity {urn}} facets {field displayName aggregations {value count displayName entity {urn type}}}}}`;
    const all = at(await ask(catalog.http, text), 'searchAcrossEntities') as JsonObject;
    expect(all).toMatchObject({ start: 0, count: 1, total: 2, searchResults: [{ entity: { urn: ORDERS } }] });
    expect(all.facets).toContainEqual({
      field: 'domains',
      displayName: 'Domain',
      aggregations: [
        {
          value: 'urn:li:domain:shop',
          count: 1,
          displayName: 'Shop',
          entity: { urn: 'urn:li:domain:shop', type: 'DOMAIN' },
        },
      ],
    });
    expect(all.facets).toContainEqual({
      field: '_entityType',
      displayName: 'Type',
      aggregations: [{ value: 'DATASET', count: 2, displayName: null, entity: null }],
    });
    const seen = at(await ask(catalog.http, text, { viewUrn: VIEW }), 'searchAcrossEntities');
    expect(seen).toMatchObject({ total: 1, searchResults: [{ entity: { urn: FLOUR } }] });
    expect(await faultsOf(catalog.http, text, { viewUrn: 'urn:li:dataHubView:none' })).toEqual([
      'input/viewUrn: urn:li:dataHubView:none does not exist',
    ]);
  });

  describe('entities', () => {
    const DETAILS = `query ($urn: String!) {entity(urn: $urn) {urn type ... on Dataset {name origin platform {name properties {displayName}}
      properties {name description customProperties {key value}} container {urn properties {name}} domain {domain {properties {name}}}
      ownership {owners {owner {... on CorpUser {username properties {displayName email}} ... on CorpGroup {name}}}}
      tags {tags {tag {name properties {name colorHex}}}} glossaryTerms {terms {term {name properties {name description}}}}
      first: schemaMetadata(version: 1) {fields {fieldPath}}}}}`;

    it('answers with what their aspects hold', async () => {
      expect(await ask(catalog.http, DETAILS, { urn: ORDERS })).toEqual({
        entity: {
          urn: ORDERS,
          type: 'DATASET',
          name: 'Orders',
          origin: 'PROD',
          platform: { name: 'mysql', properties: { displayName: 'MySQL' } },
          properties: {
            name: 'Orders',
            description: 'What people want',
            customProperties: [{ key: 'shelf', value: '3' }],
          },
          container: { urn: OVEN, properties: { name: 'Oven' } },
          domain: { domain: { properties: { name: 'Shop' } } },
          ownership: {
            owners: [
              {
                owner: {
                  username: 'baker',
                  properties: { displayName: 'Bea Baker', email: 'bea@bakery.example' },
                },
              },
            ],
          },
          tags: {
            tags: [
              { tag: { name: 'daily', properties: { name: 'Daily', colorHex: '#fff' } } },
              { tag: { name: 'never-written', properties: null } },
            ],
          },
          glossaryTerms: {
            terms: [{ term: { name: 'Rye', properties: { name: 'Rye', description: 'Dark' } } }],
          },
          first: { fields: [{ fieldPath: 'id' }, { fieldPath: 'bread' }] },
        },
      });
    });

    it('answers with null for what does not exist, in the order of the urns', async () => {
      const text = 'query ($urns: [String!]!) {entities(urns: $urns) {urn}}';
      const urns = [urnOf('never'), ORDERS, BAKER, ORDERS];
      expect(await ask(catalog.http, text, { urns })).toEqual({
        entities: [null, { urn: ORDERS }, { urn: BAKER }, { urn: ORDERS }],
      });
      expect(await ask(catalog.http, DETAILS, { urn: urnOf('never') })).toEqual({ entity: null });
    });

    it('answers with the aspects of a type without fields of its own', async () => {
      const text =
        'query ($urn: String!) {entity(urn: $urn) {__typename type ... on GenericEntity {aspects {aspectName}}}}';
      expect(await ask(catalog.http, text, { urn: 'urn:li:dataHubPolicy:open' })).toEqual({
        entity: {
          __typename: 'GenericEntity',
          type: 'DATAHUB_POLICY',
          aspects: [{ aspectName: 'dataHubPolicyKey' }, { aspectName: 'dataHubPolicyInfo' }],
        },
      });
    });

    it('names a malformed urn', async () => {
      const [fault] = await faultsOf(catalog.http, DETAILS, { urn: 'orders' });
      expect(fault).toContain('Invalid urn orders');
    });
  });

  describe('lineage', () => {
    const TEXT = `query scrollAcrossLineage($input: ScrollAcrossLineageInput!) {scrollAcrossLineage(input: $input) {nextScrollId searchResults {degree
      entity {urn type ... on Dataset {name platform {name}}} paths {path {urn type}}}}}`;
    const follow = async (input: JsonOutputObject): Promise<unknown> =>
      at(
        await ask(catalog.http, TEXT, { input: { direction: 'DOWNSTREAM', count: 500, ...input } }),
        'scrollAcrossLineage',
      );

    it('leads to entities within the degrees of the filter', async () => {
      const degree = { field: 'degree', condition: 'EQUAL', values: ['1', '2', '3+'] };
      expect(await follow({ urn: ORDERS, ...filters(degree) })).toEqual({
        nextScrollId: null,
        searchResults: [
          {
            degree: 1,
            entity: { urn: FLOUR, type: 'DATASET', name: 'bakery.flour', platform: { name: 'kafka' } },
            paths: [
              {
                path: [
                  { urn: ORDERS, type: 'DATASET' },
                  { urn: FLOUR, type: 'DATASET' },
                ],
              },
            ],
          },
        ],
      });
      expect(await follow({ urn: ORDERS, ...filters({ ...degree, values: ['2'] }) })).toEqual({
        nextScrollId: null,
        searchResults: [],
      });
    });

    it('leads to columns that are grouped as columns', async () => {
      const groupingCriteria = { baseEntityType: 'SCHEMA_FIELD', groupingEntityType: 'SCHEMA_FIELD' };
      expect(await follow({ urn: COLUMN, searchFlags: { groupingSpec: { groupingCriteria } } })).toEqual({
        nextScrollId: null,
        searchResults: [
          {
            degree: 1,
            entity: { urn: `urn:li:schemaField:(${FLOUR},key)`, type: 'SCHEMA_FIELD' },
            paths: [
              {
                path: [
                  { urn: COLUMN, type: 'SCHEMA_FIELD' },
                  { urn: `urn:li:schemaField:(${FLOUR},key)`, type: 'SCHEMA_FIELD' },
                ],
              },
            ],
          },
        ],
      });
    });
  });

  it('lineage of a column leads to entities by paths of columns', async () => {
    const text = `query ($input: SearchAcrossLineageInput!) {searchAcrossLineage(input: $input) {total searchResults {degree entity {urn}
      paths {path {urn type ... on SchemaFieldEntity {fieldPath parent {urn}}}}}}}`;
    const input = { urn: COLUMN, direction: 'DOWNSTREAM', query: '*', start: 0, count: 10 };
    expect(await ask(catalog.http, text, { input })).toEqual({
      searchAcrossLineage: {
        total: 1,
        searchResults: [
          {
            degree: 1,
            entity: { urn: FLOUR },
            paths: [
              {
                path: [
                  { urn: COLUMN, type: 'SCHEMA_FIELD', fieldPath: 'id', parent: { urn: ORDERS } },
                  {
                    urn: `urn:li:schemaField:(${FLOUR},key)`,
                    type: 'SCHEMA_FIELD',
                    fieldPath: 'key',
                    parent: { urn: FLOUR },
                  },
                ],
              },
            ],
          },
        ],
      },
    });
  });

  describe('the schema', () => {
    it('answers introspection', async () => {
      const text = 'query inputTypeFields($name: String!) {__type(name: $name) {inputFields {name}}}';
      const fields = at(await ask(catalog.http, text, { name: 'SearchFlags' }), '__type', 'inputFields');
      expect(fields).toContainEqual({ name: 'includeSoftDeleted' });
      expect(await ask(catalog.http, text, { name: 'NoSuchType' })).toEqual({ __type: null });
    });

    it('names every entity type of the model', async () => {
      const { __type: type } = await ask(catalog.http, '{__type(name: "EntityType") {enumValues {name}}}');
      const names = (type as unknown as { readonly enumValues: readonly { readonly name: string }[] })
        .enumValues;
      expect(names.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'DATASET',
          'CORP_USER',
          'MLMODEL',
          'OWNERSHIP_TYPE',
          'CUSTOM_OWNERSHIP_TYPE',
          'OTHER',
        ]),
      );
      expect(names.length).toBeGreaterThan(catalog.deps.registry.entityTypes.length);
    });
  });

  describe('a wrong text', () => {
    it.each([
      ['{', 'InvalidSyntax: Syntax Error: Expected Name, found <EOF>.'],
      [
        '{semanticSearchAcrossEntities(input: {query: "a"}) {total}}',
        'ValidationError: FieldUndefined: Stratalog serves no semanticSearchAcrossEntities; searchAcrossEntities does',
      ],
      [
        '{entity(urn: "a") {urm}}',
        'ValidationError: FieldUndefined: Stratalog serves no urm of Entity; did you mean urn?',
      ],
      [
        'subscription {changes}',
        'ValidationError: FieldUndefined: Stratalog serves no changes; GET /changes lists them',
      ],
      [
        '{entity {urn}}',
        'ValidationError: Field "entity" argument "urn" of type "String!" is required, but it was not provided.',
      ],
    ])('%s', async (text, message) => {
      expect(await faultsOf(catalog.http, text)).toEqual([message]);
    });

    it('is one that has several operations and names none', async () => {
      expect(await faultsOf(catalog.http, 'query a {__typename} query b {__typename}')).toEqual([
        'Must provide operation name if query contains multiple operations.',
      ]);
    });

    it('has its values checked', async () => {
      const [fault] = await faultsOf(catalog.http, SCROLL, {
        query: '*',
        batchSize: 'two',
        skipCache: false,
      });
      expect(fault).toContain('$batchSize');
    });
  });
});

function schemaOf(columns: readonly string[]): JsonOutputObject {
  return {
    schemaName: 'orders',
    platform: 'urn:li:dataPlatform:mysql',
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: columns.map((fieldPath) => ({
      fieldPath,
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      nativeDataType: 'text',
    })),
  };
}
