import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { TimeseriesIndexing, TimeseriesSize, TimeseriesStorage } from '@stratalog/ports';
import { loadModel } from '@stratalog/registry';
import { listIndexSizes, type SizesDeps } from './index-sizes';

const MODELS = join(import.meta.dirname, '../../../../../models');
const measures = (sizes: readonly TimeseriesSize[]) => ({ measureSizes: () => Promise.resolve(sizes) });
const profiles = (bytes: number): TimeseriesSize => ({
  entityType: 'dataset',
  aspectName: 'datasetProfile',
  bytes,
});

it('a timeseries aspect has its space in the store and in the index, in decimal megabytes', async () => {
  const registry = await loadModel({ folders: [MODELS] });
  const timeseries = measures([profiles(3_000_000)]) as TimeseriesStorage;
  const live = measures([profiles(500_000), { ...profiles(1), aspectName: 'former' }]);
  const versions = { live: () => Promise.resolve(live) };
  const measured = async (deps: SizesDeps): Promise<unknown> => (await listIndexSizes(deps)).sizes;
  const stored = { entityName: 'dataset', aspectName: 'datasetprofile' };
  const indexName = 'dataset_datasetprofileaspect_v1';
  const both = await measured({
    registry,
    timeseries,
    timeseriesIndex: { versions } as unknown as TimeseriesIndexing,
  });
  expect(both).toContainEqual({ ...stored, indexName, sizeMb: 3.5 });
  // The model no longer has this one.
  expect(both).toContainEqual({
    entityName: 'dataset',
    aspectName: 'former',
    indexName: 'dataset_formeraspect_v1',
    sizeMb: 0.000_001,
  });
  expect(await measured({ registry, timeseries })).toContainEqual({ ...stored, indexName, sizeMb: 3 });
});
