import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { defaultAspectsOf } from './default-aspects-of';
import { entityOf } from './entity-of';
import type { EntityRegistry } from './entity-registry';
import { loadModel } from './load-model';
import { modelOf } from './testing/model-of';

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../models')] });
});

function defaultsOf(urn: string, model = registry): Record<string, unknown> {
  const entity = entityOf(model, urn);
  if ('fault' in entity) throw new Error(entity.fault);
  return Object.fromEntries(
    defaultAspectsOf(model, entity.entityType, entity.key).map(({ aspectName, value }) => [
      aspectName,
      JSON.parse(value) as unknown,
    ]),
  );
}

describe('defaultAspectsOf', () => {
  test('given a dataset, then its platform and the folders of its name', () => {
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

  test('given a chart or a dashboard, then its tool', () => {
    expect(defaultsOf('urn:li:chart:(Looker,1)')).toEqual({
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:Looker' },
      browsePaths: { paths: ['/Looker'] },
      browsePathsV2: { path: [{ id: 'Default' }] },
    });
    expect(defaultsOf('urn:li:dashboard:(Looker,1)')).toMatchObject({ browsePaths: { paths: ['/looker'] } });
  });

  test('given a job, then what its flow says', async () => {
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

    expect(defaultsOf(`urn:li:dataJob:(${flow},load)`, model)).toEqual({
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:Airflow' },
      browsePaths: { paths: ['/airflow/prod'] },
      browsePathsV2: { path: [{ id: flow, urn: flow }] },
    });
    expect(defaultsOf(flow, model)).toEqual({
      dataPlatformInstance: { platform: 'urn:li:dataPlatform:Airflow' },
      browsePaths: { paths: ['/airflow/prod'] },
    });
  });

  test('given a type without those aspects, or values that the model refuses, then there are none', async () => {
    expect(defaultsOf('urn:li:tag:a')).toEqual({});
    const odd = await modelOf([
      {
        'entity-registry.yml': 'entities: [{name: dataset, keyAspect: k, aspects: [browsePathsV2]}]',
        'K.pdl': '@Aspect = {"name": "k"} record K { name: string }',
        'P.pdl': '@Aspect = {"name": "browsePathsV2"} record P { other: string }',
      },
    ]);
    expect(defaultsOf('urn:li:dataset:a', odd)).toEqual({});
  });
});
