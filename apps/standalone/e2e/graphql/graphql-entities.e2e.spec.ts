import { beforeAll, describe, expect, it } from '@jest/globals';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { ask, faultsOf } from './graphql-calls';

const BREAD = 'urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.bread,PROD)';
const FLOW = 'urn:li:dataFlow:(airflow,bake,PROD)';
const JOB = `urn:li:dataJob:(${FLOW},knead)`;
const BAKER = 'urn:li:corpuser:baker';
const STAMP = { time: 1_700_000_000_000, actor: BAKER };
const CHECK = 'urn:li:assertion:enough';
const runOf = (name: string): string => `urn:li:dataProcessInstance:${name}`;

describe('GraphQL about single entities', () => {
  const catalog = catalogForSuite();

  beforeAll(async () => {
    const { http } = catalog;
    await http.write(BREAD, 'datasetProperties', { name: 'Bread', customProperties: {} });
    await http.write(JOB, 'dataJobInfo', {
      name: 'Knead',
      type: { string: 'COMMAND' },
      customProperties: {},
    });
    for (const [at, name] of ['first', 'second', 'third'].entries()) {
      await http.write(runOf(name), 'dataProcessInstanceProperties', {
        name,
        created: { ...STAMP, time: STAMP.time + at },
        customProperties: {},
      });
      await http.write(runOf(name), 'dataProcessInstanceRelationships', {
        parentTemplate: JOB,
        upstreamInstances: [],
      });
    }
    await http.write(CHECK, 'assertionInfo', {
      type: 'DATASET',
      datasetAssertion: { dataset: BREAD, scope: 'DATASET_ROWS', operator: '_NATIVE_' },
      customProperties: {},
    });
    for (const [at, type] of ['SUCCESS', 'FAILURE', 'SUCCESS'].entries()) {
      await http.write(CHECK, 'assertionRunEvent', {
        timestampMillis: STAMP.time + at,
        runId: String(at),
        asserteeUrn: BREAD,
        assertionUrn: CHECK,
        status: 'COMPLETE',
        result: { type, nativeResults: { rows: String(at) } },
      });
    }
    await http.write(BREAD, 'operation', {
      timestampMillis: STAMP.time,
      lastUpdatedTimestamp: STAMP.time,
      operationType: 'INSERT',
      numAffectedRows: 9_007_199_254_740_993n,
    });
    await http.write('urn:li:query:daily', 'queryProperties', {
      statement: { value: 'SELECT 1' },
      source: 'MANUAL',
      created: STAMP,
      lastModified: STAMP,
    });
    await http.write('urn:li:query:daily', 'querySubjects', { subjects: [{ entity: BREAD }] });
    await http.write('urn:li:domain:shop', 'domainProperties', { name: 'Shop' });
    await http.write('urn:li:domain:oven', 'domainProperties', {
      name: 'Oven',
      parentDomain: 'urn:li:domain:shop',
    });
    await http.write(BREAD, 'domains', { domains: ['urn:li:domain:oven'] });
    await http.write('urn:li:globalSettings:0', 'globalSettingsInfo', {
      views: { defaultView: 'urn:li:dataHubView:all' },
    });
    await http.caughtUp();
  });

  it('reads the runs of checks, as circuit breakers do', async () => {
    const text = `query ($urn: String!, $limit: Int, $status: AssertionRunStatus) {dataset(urn: $urn) {assertions(start: 0, count: 1000) {total assertions {
      urn runEvents(status: $status, limit: $limit) {total failed succeeded runEvents {timestampMillis assertionUrn result {type nativeResults {key value}}}}}}}}`;
    expect(await ask(catalog.http, text, { urn: BREAD, limit: 2, status: 'COMPLETE' })).toEqual({
      dataset: {
        assertions: {
          total: 1,
          assertions: [
            {
              urn: CHECK,
              runEvents: {
                total: 2,
                failed: 1,
                succeeded: 1,
                runEvents: [2, 1].map((nth) => ({
                  timestampMillis: STAMP.time + nth,
                  assertionUrn: CHECK,
                  result: {
                    type: nth === 1 ? 'FAILURE' : 'SUCCESS',
                    nativeResults: [{ key: 'rows', value: String(nth) }],
                  },
                })),
              },
            },
          ],
        },
      },
    });
  });

  it('reads operations, with whole numbers of any size', async () => {
    const text =
      'query ($urn: String!) {dataset(urn: $urn) {operations(limit: 1) {operationType numAffectedRows timestampMillis}}}';
    expect(await ask(catalog.http, text, { urn: BREAD })).toEqual({
      dataset: {
        operations: [
          { operationType: 'INSERT', numAffectedRows: 9_007_199_254_740_993n, timestampMillis: STAMP.time },
        ],
      },
    });
    const filtered =
      'query ($urn: String!) {dataset(urn: $urn) {operations(filter: {and: [{field: "a", values: ["b"]}]}) {actor}}}';
    const [fault] = await faultsOf(catalog.http, filtered, { urn: BREAD });
    expect(fault).toContain('getTimeseriesAspectValues does');
  });

  it('lists the runs of a job, the newest first', async () => {
    const text =
      'query ($urn: String!) {dataJob(urn: $urn) {jobId dataFlow {urn orchestrator} runs(start: 0, count: 2) {total runs {urn created {time actor}}}}}';
    expect(await ask(catalog.http, text, { urn: JOB })).toEqual({
      dataJob: {
        jobId: 'knead',
        dataFlow: { urn: FLOW, orchestrator: 'airflow' },
        runs: {
          total: 3,
          runs: [
            { urn: runOf('third'), created: { time: STAMP.time + 2, actor: BAKER } },
            { urn: runOf('second'), created: { time: STAMP.time + 1, actor: BAKER } },
          ],
        },
      },
    });
  });

  it('lists the queries of a dataset', async () => {
    const text = `query ($input: ListQueriesInput!) {listQueries(input: $input) {total count queries {urn properties {statement {value language}}
      subjects {dataset {urn name} schemaField {urn}}}}}`;
    expect(await ask(catalog.http, text, { input: { start: 0, count: 10, datasetUrn: BREAD } })).toEqual({
      listQueries: {
        total: 1,
        count: 1,
        queries: [
          {
            urn: 'urn:li:query:daily',
            properties: { statement: { value: 'SELECT 1', language: 'SQL' } },
            subjects: [{ dataset: { urn: BREAD, name: 'Bread' }, schemaField: null }],
          },
        ],
      },
    });
    expect(await ask(catalog.http, text, { input: { datasetUrn: JOB } })).toEqual({
      listQueries: { total: 0, count: 0, queries: [] },
    });
  });

  it('reads domains with their parents and entities, and one hop of the graph', async () => {
    const text = `{entity(urn: "urn:li:domain:oven") {... on Domain {parentDomains {count domains {urn}} entities(input: {start: 0, count: 1}) {total searchResults {entity {urn}}}
      relationships(input: {types: ["AssociatedWith"], direction: INCOMING}) {total relationships {type entity {urn type}}}}}}`;
    expect(await ask(catalog.http, text)).toEqual({
      entity: {
        parentDomains: { count: 1, domains: [{ urn: 'urn:li:domain:shop' }] },
        entities: { total: 1, searchResults: [{ entity: { urn: BREAD } }] },
        relationships: {
          total: 1,
          relationships: [{ type: 'AssociatedWith', entity: { urn: BREAD, type: 'DATASET' } }],
        },
      },
    });
  });

  it('says who calls, and which view everybody has', async () => {
    const text =
      '{me {corpUser {urn username exists}} globalViewsSettings {defaultView} appConfig {telemetryConfig {enableThirdPartyLogging}}}';
    const data = await ask(catalog.http, text);
    expect(data).toMatchObject({
      globalViewsSettings: { defaultView: 'urn:li:dataHubView:all' },
      appConfig: { telemetryConfig: { enableThirdPartyLogging: false } },
    });
    expect(at(data, 'me', 'corpUser', 'urn')).toMatch(/^urn:li:corpuser:/);
  });

  it('lists related documents', async () => {
    await catalog.http.write('urn:li:document:recipe', 'documentInfo', {
      title: 'Recipe',
      status: { state: 'PUBLISHED' },
      contents: { text: 'Knead' },
      created: STAMP,
      lastModified: STAMP,
      relatedAssets: [{ asset: BREAD }],
      customProperties: {},
    });
    await catalog.http.caughtUp();
    const text = `query ($urn: String!) {entity(urn: $urn) {... on Dataset {relatedDocuments(input: {count: 5}) {total documents {urn info {title contents {text}}}}}}}`;
    expect(await ask(catalog.http, text, { urn: BREAD })).toEqual({
      entity: {
        relatedDocuments: {
          total: 1,
          documents: [
            { urn: 'urn:li:document:recipe', info: { title: 'Recipe', contents: { text: 'Knead' } } },
          ],
        },
      },
    });
  });
});
