import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { computeDefaultAspects, listDefaultNames, listNeighbours } from './compute-default-aspects';
import { requireEntityType } from './require-entity-type';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { modelOf } from '../testing/model-of';

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
});

interface Circumstances {
  readonly model?: EntityRegistry;
  readonly aspectName?: string;
  readonly value?: string;
  /** Value of the requested aspect, by urn. */
  readonly others?: Readonly<Record<string, string>>;
}

function beginningOf(urn: string, { model = registry, aspectName = 'status', value = '{}' }: Circumstances) {
  const entity = requireEntityType(model, urn);
  if ('fault' in entity) throw new Error(entity.fault);
  return { entityType: entity.entityType, key: entity.key, aspectName, value };
}

function defaultsOf(urn: string, circumstances: Circumstances = {}): Record<string, unknown> {
  const { model = registry, others = {} } = circumstances;
  const write = beginningOf(urn, circumstances);
  return Object.fromEntries(
    computeDefaultAspects(model, write, {
      names: listDefaultNames(model, write),
      valueOf: (ref) => others[ref.urn],
    }).map(({ aspectName, value }) => [aspectName, JSON.parse(value) as unknown]),
  );
}

describe('computeDefaultAspects', () => {
  test('gives a dataset its platform and the folders of its name', () => {
    expect(defaultsOf('urn:li:dataset:(urn:li:dataPlatform:Hive,Sales.EU.Orders,PROD)')).toEqual({
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:Hive' },
      browsePaths: { paths: ['/prod/hive/sales/eu'] },
      browsePathsV2: { path: [{ id: 'sales' }, { id: 'eu' }] },
    });
    expect(defaultsOf('urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)')).toEqual({
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:kafka' },
      browsePaths: { paths: ['/prod/kafka'] },
      browsePathsV2: { path: [{ id: 'Default' }] },
    });
  });

  test.each([
    ['/', { path: [{ id: 'lake' }, { id: 'sales.eu' }] }, '/prod/s3/lake/sales.eu'],
    ['/and more', { path: [{ id: 'lake' }, { id: 'sales.eu' }] }, '/prod/s3/lake/sales.eu'],
    ['', { path: [{ id: 'lake/sales' }, { id: 'eu/orders' }] }, '/prod/s3/lake/sales/eu/orders'],
  ])(
    'given a platform that splits names at %j, then its first character counts',
    (delimiter, path, legacy) => {
      const others = { 'urn:li:dataPlatform:s3': `{"datasetNameDelimiter":"${delimiter}"}` };
      const urn = 'urn:li:dataset:(urn:li:dataPlatform:s3,Lake/sales.eu/Orders.parquet,PROD)';
      expect(defaultsOf(urn, { others })).toMatchObject({
        browsePaths: { paths: [legacy] },
        browsePathsV2: path,
      });
    },
  );

  test('lists the containers around the one that a first proposal names, outermost first', () => {
    const [schema, database, other] = ['schema', 'database', 'other'].map((id) => `urn:li:container:${id}`);
    const into = (container = ''): string => JSON.stringify({ container });
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,sales.eu.orders,PROD)';
    const inside = { aspectName: 'container', value: into(schema) };
    const others = { [String(schema)]: into(database) };
    const step = (id = '') => ({ id, urn: id });

    expect(defaultsOf(urn, { ...inside, others })).toMatchObject({
      browsePaths: { paths: ['/prod/hive/sales/eu'] },
      browsePathsV2: { path: [step(database), step(schema)] },
    });
    const circle = { ...others, [String(database)]: into(schema) };
    expect(defaultsOf(urn, { ...inside, others: circle })).toMatchObject({
      browsePathsV2: { path: [step(database), step(schema)] },
    });
    expect(defaultsOf(String(other), { ...inside, others })).toMatchObject({
      browsePathsV2: { path: [step(database), step(schema)] },
    });
    expect(listNeighbours(beginningOf(urn, inside))).toEqual([
      { urn: 'urn:li:dataPlatform:hive', aspectName: 'dataPlatformInfo' },
      { urn: schema, aspectName: 'container', followField: 'container' },
    ]);
    expect(listNeighbours(beginningOf('urn:li:chart:(Looker,1)', {}))).toEqual([]);
  });

  test('gives a chart or a dashboard its tool', () => {
    expect(defaultsOf('urn:li:chart:(Looker,1)')).toEqual({
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:Looker' },
      browsePaths: { paths: ['/Looker'] },
      browsePathsV2: { path: [{ id: 'Default' }] },
    });
    expect(defaultsOf('urn:li:dashboard:(Looker,1)')).toMatchObject({ browsePaths: { paths: ['/looker'] } });
  });

  test('gives a job the values of its flow', async () => {
    const model = await modelOf([
      {
        'entity-registry.yml': `entities:
          - {name: dataJob, keyAspect: dataJobKey, aspects: [dataPlatformInstance, browsePaths, browsePathsV2]}
          - {name: dataFlow, keyAspect: dataFlowKey, aspects: [browsePaths, dataPlatformInstance]}`,
        'Urn.pdl': '@Urn typeref Urn = string',
        'A.pdl': '@Aspect = {"name": "dataJobKey"} record A { flow: Urn, jobId: string }',
        'B.pdl':
          '@Aspect = {"name": "dataFlowKey"} record B { orchestrator: string, flowId: string, cluster: string }',
        'C.pdl': '@Aspect = {"name": "dataPlatformInstance"} record C { platform: Urn }',
        'D.pdl': '@Aspect = {"name": "browsePaths"} record D { paths: array[string] }',
        'E.pdl':
          '@Aspect = {"name": "browsePathsV2"} record E { path: array[record Step { id: string, urn: optional Urn }] }',
      },
    ]);
    const flow = 'urn:li:dataFlow:(Airflow,daily,PROD)';

    expect(defaultsOf(`urn:li:dataJob:(${flow},load)`, { model })).toEqual({
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:Airflow' },
      browsePaths: { paths: ['/airflow/prod'] },
      browsePathsV2: { path: [{ id: flow, urn: flow }] },
    });
    expect(defaultsOf(flow, { model })).toEqual({
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:Airflow' },
      browsePaths: { paths: ['/airflow/prod'] },
    });
  });

  test('gives nothing to a type without those aspects, or when the model rejects the values', async () => {
    expect(defaultsOf('urn:li:tag:a')).toEqual({});
    const odd = await modelOf([
      {
        'entity-registry.yml': 'entities: [{name: dataset, keyAspect: k, aspects: [browsePathsV2]}]',
        'K.pdl': '@Aspect = {"name": "k"} record K { name: string }',
        'P.pdl': '@Aspect = {"name": "browsePathsV2"} record P { other: string }',
      },
    ]);
    expect(defaultsOf('urn:li:dataset:a', { model: odd })).toEqual({});
  });
});
