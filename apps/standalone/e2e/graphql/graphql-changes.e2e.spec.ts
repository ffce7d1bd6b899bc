import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { ask, faultsOf, sendText } from './graphql-calls';

const urnOf = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.${name},PROD)`;
const [BREAD, CAKE] = [urnOf('bread'), urnOf('cake')];
const TAG = 'urn:li:tag:fresh';
const TERM = 'urn:li:glossaryTerm:Rye';
const BAKER = 'urn:li:corpuser:baker';
const SHIFT = 'urn:li:corpGroup:shift';
const TECHNICAL = 'urn:li:ownershipType:__system__technical_owner';
const TASTER = 'urn:li:ownershipType:taster';
const SHELF = 'urn:li:structuredProperty:shelf';
const FORM = 'urn:li:form:hygiene';
const STAMP = { time: 1_700_000_000_000, actor: BAKER };

describe('GraphQL changes', () => {
  const catalog = catalogForSuite();
  /** Runs one mutation, whose input is sent as a variable. */
  const change = async (name: string, type: string, input: JsonOutputObject, fields = ''): Promise<unknown> =>
    (await ask(catalog.http, `mutation ($input: ${type}!) {${name}(input: $input) ${fields}}`, { input }))[
      name
    ];
  const fault = async (name: string, type: string, input: JsonOutputObject): Promise<string> =>
    (await faultsOf(catalog.http, `mutation ($input: ${type}!) {${name}(input: $input)}`, { input })).join();
  const aspect = async (urn: string, name: string): Promise<JsonObject> => {
    const { json } = await catalog.http.aspect(urn, name);
    const [value] = Object.values(at(json, 'aspect') as JsonObject);
    return value as JsonObject;
  };
  const isWithout = async (urn: string, name: string): Promise<boolean> =>
    (await catalog.http.aspect(urn, name)).status === 404;
  const onBoth = [{ resourceUrn: BREAD }, { resourceUrn: CAKE }];
  const onColumn = { resourceUrn: BREAD, subResourceType: 'DATASET_FIELD', subResource: 'dough.kind' };

  beforeAll(async () => {
    const { http } = catalog;
    const write = http.write.bind(http);
    for (const urn of [BREAD, CAKE])
      await write(urn, 'datasetProperties', { name: urn, customProperties: {} });
    await write(TAG, 'tagProperties', { name: 'fresh' });
    await write(TERM, 'glossaryTermInfo', { name: 'Rye', definition: 'Dark', termSource: 'INTERNAL' });
    await write(BAKER, 'corpUserInfo', { active: true, displayName: 'Bea' });
    await write(SHIFT, 'corpGroupInfo', { displayName: 'Shift', admins: [], members: [], groups: [] });
    await write('urn:li:domain:shop', 'domainProperties', { name: 'Shop' });
    await write(TASTER, 'ownershipTypeInfo', { name: 'Taster', created: STAMP, lastModified: STAMP });
    await write(TECHNICAL, 'ownershipTypeInfo', { name: 'Technical', created: STAMP, lastModified: STAMP });
    await write(SHELF, 'propertyDefinition', {
      qualifiedName: 'shelf',
      valueType: 'urn:li:dataType:datahub.string',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
    });
    await write(FORM, 'formInfo', {
      name: 'Hygiene',
      type: 'COMPLETION',
      prompts: [{ id: 'washed', title: 'Washed?', type: 'STRUCTURED_PROPERTY' }],
    });
    await http.caughtUp();
  });

  it('adds tags to entities and columns, and removes them', async () => {
    const { http } = catalog;
    await http.write(CAKE, 'globalTags', { tags: [{ tag: 'urn:li:tag:other' }] });
    expect(
      await change('batchAddTags', 'BatchAddTagsInput', { tagUrns: [TAG], resources: [...onBoth, onColumn] }),
    ).toBe(true);
    expect(await aspect(CAKE, 'globalTags')).toMatchObject({
      tags: [{ tag: 'urn:li:tag:other' }, { tag: TAG }],
    });
    expect(await aspect(BREAD, 'editableSchemaMetadata')).toMatchObject({
      editableSchemaFieldInfo: [{ fieldPath: 'dough.kind', globalTags: { tags: [{ tag: TAG }] } }],
    });
    const literal = `mutation {removeTag(input: {tagUrn: "${TAG}", resourceUrn: "${CAKE}"})}`;
    expect(await ask(http, literal)).toEqual({ removeTag: true });
    expect(await aspect(CAKE, 'globalTags')).toMatchObject({ tags: [{ tag: 'urn:li:tag:other' }] });
    await change('batchRemoveTags', 'BatchRemoveTagsInput', { tagUrns: [TAG], resources: [onColumn] });
    expect(stringifyJson(await aspect(BREAD, 'editableSchemaMetadata'))).not.toContain(TAG);
    await change('addTag', 'TagAssociationInput', { tagUrn: TAG, resourceUrn: CAKE });
    await change('addTags', 'AddTagsInput', { tagUrns: [TAG], resourceUrn: CAKE });
    expect(stringifyJson(await aspect(CAKE, 'globalTags')).split(TAG)).toHaveLength(2);
  });

  it('changes all or nothing', async () => {
    const unknown = 'urn:li:tag:never-written';
    expect(
      await fault('batchAddTags', 'BatchAddTagsInput', { tagUrns: [unknown], resources: onBoth }),
    ).toContain(`${unknown} does not exist`);
    const missing = [...onBoth, { resourceUrn: urnOf('missing') }];
    expect(
      await fault('batchAddTerms', 'BatchAddTermsInput', { termUrns: [TERM], resources: missing }),
    ).toContain('bakery.missing,PROD) does not exist');
    expect(await isWithout(BREAD, 'glossaryTerms')).toBe(true);
    expect(
      await fault('batchAddTags', 'BatchAddTagsInput', { tagUrns: [TERM], resources: onBoth }),
    ).toContain('is no urn of the entity type tag');
    expect(await fault('batchAddTags', 'BatchAddTagsInput', { tagUrns: [TAG], resources: [] })).toContain(
      'resources',
    );
    const column = { resourceUrn: BREAD, subResourceType: 'DATASET_FIELD' };
    expect(
      await fault('batchAddTags', 'BatchAddTagsInput', { tagUrns: [TAG], resources: [column] }),
    ).toContain('subResource');
  });

  it('adds glossary terms, and removes them', async () => {
    await change('batchAddTerms', 'BatchAddTermsInput', {
      termUrns: [TERM],
      resources: [...onBoth, onColumn],
    });
    expect(await aspect(BREAD, 'glossaryTerms')).toMatchObject({ terms: [{ urn: TERM }] });
    expect(stringifyJson(await aspect(BREAD, 'editableSchemaMetadata'))).toContain(TERM);
    await change('batchRemoveTerms', 'BatchRemoveTermsInput', {
      termUrns: [TERM],
      resources: [onColumn, ...onBoth],
    });
    expect(await aspect(BREAD, 'glossaryTerms')).toMatchObject({ terms: [] });
    await change('addTerm', 'TermAssociationInput', { termUrn: TERM, resourceUrn: CAKE });
    await change('addTerms', 'AddTermsInput', { termUrns: [TERM], resourceUrn: BREAD });
    await change('removeTerm', 'TermAssociationInput', { termUrn: TERM, resourceUrn: BREAD });
    expect([await aspect(CAKE, 'glossaryTerms'), await aspect(BREAD, 'glossaryTerms')]).toMatchObject([
      { terms: [{ urn: TERM }] },
      { terms: [] },
    ]);
  });

  it('adds owners, and removes them from one type of ownership or from all', async () => {
    const owner = { ownerUrn: BAKER, ownerEntityType: 'CORP_USER' };
    const group = { ownerUrn: SHIFT, ownerEntityType: 'CORP_GROUP', ownershipTypeUrn: TASTER };
    await change('batchAddOwners', 'BatchAddOwnersInput', {
      owners: [owner, group],
      ownershipTypeUrn: TECHNICAL,
      resources: onBoth,
    });
    await change('addOwner', 'AddOwnerInput', { ...owner, type: 'DATA_STEWARD', resourceUrn: BREAD });
    const owners = async (urn: string) => (await aspect(urn, 'ownership')).owners;
    expect(await owners(BREAD)).toMatchObject([
      { owner: BAKER, type: 'TECHNICAL_OWNER', typeUrn: TECHNICAL },
      { owner: BAKER, type: 'DATA_STEWARD' },
      { owner: SHIFT, type: 'CUSTOM', typeUrn: TASTER },
    ]);
    await change('batchRemoveOwners', 'BatchRemoveOwnersInput', {
      ownerUrns: [BAKER, SHIFT],
      ownershipTypeUrn: TECHNICAL,
      resources: onBoth,
    });
    expect(await owners(CAKE)).toMatchObject([{ owner: SHIFT }]);
    await change('removeOwner', 'RemoveOwnerInput', {
      ownerUrn: SHIFT,
      ownershipTypeUrn: TASTER,
      resourceUrn: CAKE,
    });
    expect(await owners(CAKE)).toEqual([]);
    await change('batchRemoveOwners', 'BatchRemoveOwnersInput', {
      ownerUrns: [BAKER],
      resources: [onBoth[0] ?? {}],
    });
    expect(await owners(BREAD)).toMatchObject([{ owner: SHIFT }]);
    await change('addOwners', 'AddOwnersInput', { owners: [owner], resourceUrn: CAKE });
    expect(await owners(CAKE)).toMatchObject([{ owner: BAKER, type: 'NONE' }]);
    const { listOwnershipTypes } = await ask(
      catalog.http,
      'query ($input: ListOwnershipTypesInput!) {listOwnershipTypes(input: $input) {total ownershipTypes {urn info {name}}}}',
      { input: { query: 'Taster', count: 5 } },
    );
    expect(at(listOwnershipTypes, 'ownershipTypes')).toContainEqual({
      urn: TASTER,
      info: { name: 'Taster' },
    });
  });

  it('describes entities and columns where people do', async () => {
    const describeAs = (resource: JsonOutputObject) =>
      change('updateDescription', 'DescriptionUpdateInput', { ...resource, description: 'Of rye' });
    await describeAs({ resourceUrn: BREAD });
    await describeAs(onColumn);
    await describeAs({ resourceUrn: TAG });
    await describeAs({ resourceUrn: TERM });
    await describeAs({ resourceUrn: 'urn:li:domain:shop' });
    expect(await aspect(BREAD, 'editableDatasetProperties')).toMatchObject({ description: 'Of rye' });
    expect(stringifyJson(await aspect(BREAD, 'editableSchemaMetadata'))).toContain('Of rye');
    expect(await aspect(TAG, 'tagProperties')).toEqual({ name: 'fresh', description: 'Of rye' });
    expect(await aspect(TERM, 'glossaryTermInfo')).toMatchObject({ definition: 'Of rye' });
    expect(await aspect('urn:li:domain:shop', 'domainProperties')).toMatchObject({ description: 'Of rye' });
    const input = { resourceUrn: FORM, description: 'x' };
    expect(await fault('updateDescription', 'DescriptionUpdateInput', input)).toContain('form');
  });

  it('puts entities into a domain, and takes them out', async () => {
    const domains = async (urn: string) => (await aspect(urn, 'domains')).domains;
    await change('batchSetDomain', 'BatchSetDomainInput', {
      domainUrn: 'urn:li:domain:shop',
      resources: onBoth,
    });
    expect(await domains(CAKE)).toEqual(['urn:li:domain:shop']);
    await change('batchSetDomain', 'BatchSetDomainInput', { domainUrn: null, resources: onBoth });
    expect(await domains(CAKE)).toEqual([]);
    const text = 'mutation ($urn: String!) {setDomain(entityUrn: $urn, domainUrn: "urn:li:domain:shop")}';
    expect(await ask(catalog.http, text, { urn: CAKE })).toEqual({ setDomain: true });
    expect(await domains(CAKE)).toEqual(['urn:li:domain:shop']);
    await ask(catalog.http, 'mutation ($urn: String!) {unsetDomain(entityUrn: $urn)}', { urn: CAKE });
    expect(await domains(CAKE)).toEqual([]);
  });

  it('makes tags, of which the position is told, and deprecates', async () => {
    const { http } = catalog;
    const text = 'mutation ($tag_detail: CreateTagInput!) {createTag(input: $tag_detail)}';
    const sent = { tag_detail: { id: 'new', name: 'New', description: 'Just made' } };
    const answer = await sendText(http, text, sent);
    expect(parseJson(answer.body)).toEqual({ data: { createTag: 'urn:li:tag:new' } });
    const waitFor = answer.headers['x-stratalog-position'];
    expect(waitFor).toMatch(/^[0-9a-f]{8}\./);
    expect((await http.search('new', { entity: 'tag', waitFor })).body).toContain('urn:li:tag:new');
    expect((await faultsOf(http, text, sent)).join()).toMatch(/exist/);
    await change('updateDeprecation', 'UpdateDeprecationInput', {
      urn: CAKE,
      deprecated: true,
      note: 'Stale',
      decommissionTime: 5,
      replacement: BREAD,
    });
    expect(await aspect(CAKE, 'deprecation')).toMatchObject({
      deprecated: true,
      note: 'Stale',
      decommissionTime: 5,
      replacement: BREAD,
    });
  });

  it('sets structured properties, and removes them', async () => {
    const FIELDS = '{properties {structuredProperty {urn} values {... on StringValue {stringValue}}}}';
    const input = {
      assetUrn: BREAD,
      structuredPropertyInputParams: [{ structuredPropertyUrn: SHELF, values: [{ stringValue: 'top' }] }],
    };
    expect(
      await change('upsertStructuredProperties', 'UpsertStructuredPropertiesInput', input, FIELDS),
    ).toEqual({
      properties: [{ structuredProperty: { urn: SHELF }, values: [{ stringValue: 'top' }] }],
    });
    const removed = { assetUrn: BREAD, structuredPropertyUrns: [SHELF] };
    expect(
      await change('removeStructuredProperties', 'RemoveStructuredPropertiesInput', removed, FIELDS),
    ).toEqual({
      properties: [],
    });
  });

  it('takes the reports of checks and operations', async () => {
    const { http } = catalog;
    const upsert = `mutation upsertCustomAssertion($assertionUrn: String, $entityUrn: String!, $fieldPaths: [String!], $parameters: AssertionStdParametersInput,
      $nativeParameters: [StringMapEntryInput!]) {upsertCustomAssertion(urn: $assertionUrn, input: {entityUrn: $entityUrn type: "Freshness" description: "Is fresh"
      fieldPaths: $fieldPaths platform: {urn: null name: "great-expectations"} operator: GREATER_THAN parameters: $parameters nativeParameters: $nativeParameters}) {urn}}`;
    const sent = {
      entityUrn: BREAD,
      fieldPaths: ['dough'],
      parameters: { value: { value: '3', type: 'NUMBER' } },
      nativeParameters: [{ key: 'kind', value: 'fast' }],
    };
    const { upsertCustomAssertion } = await ask(http, upsert, sent);
    const check = at(upsertCustomAssertion, 'urn') as string;
    expect(check).toMatch(/^urn:li:assertion:/);
    expect(await aspect(check, 'assertionInfo')).toMatchObject({
      type: 'CUSTOM',
      customAssertion: { type: 'Freshness', entity: BREAD, fields: [`urn:li:schemaField:(${BREAD},dough)`] },
    });
    const named = await ask(http, upsert, { ...sent, assertionUrn: check });
    expect(at(named, 'upsertCustomAssertion', 'urn')).toBe(check);
    const report = `mutation ($urn: String!, $result: AssertionResultInput!) {reportAssertionResult(urn: $urn, result: $result)}`;
    const result = {
      timestampMillis: STAMP.time,
      type: 'ERROR',
      properties: [{ key: 'rows', value: '0' }],
      error: { type: 'UNKNOWN_ERROR', message: 'It broke' },
    };
    expect(await ask(http, report, { urn: check, result })).toEqual({ reportAssertionResult: true });
    const events = await ask(
      http,
      'query ($urn: String!) {entity(urn: $urn) {... on Assertion {runEvents {total runEvents {timestampMillis result {type error {type} nativeResults {key value}}}}}}}',
      { urn: check },
    );
    expect(at(events, 'entity', 'runEvents', 'runEvents')).toEqual([
      {
        timestampMillis: STAMP.time,
        result: {
          type: 'ERROR',
          error: { type: 'UNKNOWN_ERROR' },
          nativeResults: [{ key: 'rows', value: '0' }],
        },
      },
    ]);
    expect(
      await change('reportOperation', 'ReportOperationInput', {
        urn: BREAD,
        sourceType: 'DATA_PROCESS',
        operationType: 'UPDATE',
        partition: 'noon',
        numAffectedRows: 9_007_199_254_740_993n,
        customProperties: [{ key: 'oven', value: '2' }],
      }),
    ).toBe(true);
    const operations = await ask(
      http,
      'query ($urn: String!) {dataset(urn: $urn) {operations(limit: 1) {operationType numAffectedRows partition customProperties {key value}}}}',
      { urn: BREAD },
    );
    expect(at(operations, 'dataset', 'operations')).toMatchObject([
      { operationType: 'UPDATE', numAffectedRows: 9_007_199_254_740_993n, partition: 'noon' },
    ]);
  });

  it('raises incidents, and changes their state', async () => {
    const { http } = catalog;
    const urn = (await change('raiseIncident', 'RaiseIncidentInput', {
      type: 'OPERATIONAL',
      title: 'Burnt',
      description: 'Too hot',
      resourceUrns: [BREAD],
      priority: 'HIGH',
      assigneeUrns: [BAKER],
      status: { state: 'ACTIVE', stage: 'TRIAGE' },
    })) as string;
    const update = `mutation ($urn: String!, $input: IncidentStatusInput!) {updateIncidentStatus(urn: $urn, input: $input)}`;
    const input = { state: 'RESOLVED', stage: 'FIXED', message: 'Turned down' };
    expect(await ask(http, update, { urn, input })).toEqual({ updateIncidentStatus: true });
    await http.caughtUp();
    const { entity } = await ask(
      http,
      `query ($urn: String!, $state: IncidentState) {entity(urn: $urn) {... on Dataset {incidents(state: $state, start: 0, count: 5) {total incidents {urn title priority
        incidentStatus {state stage message} source {type}}}}}}`,
      { urn: BREAD, state: 'RESOLVED' },
    );
    expect(at(entity, 'incidents')).toEqual({
      total: 1,
      incidents: [
        { urn, title: 'Burnt', priority: 'HIGH', incidentStatus: input, source: { type: 'MANUAL' } },
      ],
    });
  });

  it('assigns forms once', async () => {
    const assign = () =>
      ask(
        catalog.http,
        `mutation batchAssignForm {batchAssignForm(input: {formUrn: "${FORM}", entityUrns: ["${BREAD}", "${CAKE}"]})}`,
      );
    expect(await assign()).toEqual({ batchAssignForm: true });
    const before = await aspect(BREAD, 'forms');
    expect(before).toMatchObject({
      incompleteForms: [{ urn: FORM, incompletePrompts: [{ id: 'washed' }] }],
      completedForms: [],
    });
    expect(await assign()).toEqual({ batchAssignForm: true });
    expect(await aspect(BREAD, 'forms')).toEqual(before);
    const dynamic = `mutation createDynamicFormAssignment {createDynamicFormAssignment(input: {formUrn: "${FORM}", orFilters: [{and: [{field: "platform", values: ["urn:li:dataPlatform:mysql"], condition: EQUAL, negated: false}]}]})}`;
    expect(await ask(catalog.http, dynamic)).toEqual({ createDynamicFormAssignment: true });
    expect(await aspect(FORM, 'dynamicFormAssignment')).toMatchObject({
      filter: { or: [{ and: [{ field: 'platform', condition: 'EQUAL' }] }] },
    });
  });

  it('says what serves instead of others', async () => {
    const faults = async (text: string) => (await faultsOf(catalog.http, text)).join();
    expect(await faults('mutation {revokeAccessToken(tokenId: "a")}')).toMatch(
      /ValidationError: FieldUndefined: Stratalog serves no revokeAccessToken; POST \/operations\?action=revokeToken does/,
    );
    expect(await faults('mutation {updateSecret(input: {})}')).toContain(
      'POST /aspects?action=ingestProposal',
    );
  });
});
