import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { referencesIn, withoutReference } from './without-reference';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const column = (name: string, path: string): string => `urn:li:schemaField:(${dataset(name)},${path})`;
const [GONE, KEPT] = [dataset('gone'), dataset('kept')];

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
});

const link = (upstreams: readonly string[], downstreams: readonly string[]): JsonObject => ({
  upstreamType: 'FIELD_SET',
  downstreamType: 'FIELD_SET',
  upstreams: [...upstreams],
  downstreams: [...downstreams],
});
const remove = (aspectName: string, value: JsonObject) => {
  const aspect = registry.aspect(aspectName);
  if (aspect === undefined) throw new Error(`The model has ${aspectName}`);
  const removal = withoutReference(registry, aspect, value, GONE);
  return [referencesIn(aspect, value, GONE), removal.kind === 'rewritten' ? removal.value : removal.kind];
};
const upstream = (name: string): JsonObject => ({ dataset: dataset(name), type: 'TRANSFORMED' });

test('the columns of a dataset go with it, and links that lose a side', () => {
  const whole = link([column('kept', 'b')], [column('own', 'd')]);
  const value = {
    upstreams: [upstream('gone'), upstream('kept')],
    fineGrainedLineages: [
      link([column('gone', 'a'), column('kept', 'a')], [column('own', 'a')]),
      link([column('gone', 'b')], [column('own', 'b')]),
      link([GONE], [column('own', 'c')]),
      whole,
    ],
  };
  expect(remove('upstreamLineage', value)).toEqual([
    ['DownstreamOf'],
    {
      upstreams: [upstream('kept')],
      fineGrainedLineages: [link([column('kept', 'a')], [column('own', 'a')]), whole],
    },
  ]);
});

test('the columns that a job reads and writes go too', () => {
  const value = {
    inputDatasets: [GONE, KEPT],
    outputDatasets: [KEPT],
    inputDatasetFields: [column('gone', 'a'), column('kept', 'a')],
    fineGrainedLineages: [
      link([column('kept', 'a')], [column('gone', 'x')]),
      link([column('kept', 'a')], [column('kept', 'y'), column('gone', 'y')]),
    ],
  };
  expect(remove('dataJobInputOutput', value)).toEqual([
    ['Consumes', 'DownstreamOf'],
    {
      inputDatasets: [KEPT],
      outputDatasets: [KEPT],
      inputDatasetFields: [column('kept', 'a')],
      fineGrainedLineages: [link([column('kept', 'a')], [column('kept', 'y')])],
    },
  ]);
});

test('the columns that a chart reads go too', () => {
  const fields = [{ schemaFieldUrn: column('gone', 'a') }, { schemaFieldUrn: column('kept', 'a') }];
  expect(remove('inputFields', { fields })).toEqual([['consumesField'], { fields: fields.slice(1) }]);
});

test('a value that names other columns alone stays as it is', () => {
  const value = { upstreams: [], fineGrainedLineages: [link([], [column('own', 'a')]), link([KEPT], [])] };
  expect(remove('upstreamLineage', value)).toEqual([[], value]);
});
