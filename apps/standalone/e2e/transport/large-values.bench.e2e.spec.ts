import { MAX_P99_OF_VALUES_MS, describeAlongsideReads, type LargeCase } from '../testing/alongside-reads';
import type { JsonOutputObject } from '@stratalog/json';
import type { RawRequest } from '../testing/catalog/raw-http';
import { dataset, ingest, many, patch } from '../testing/watched-catalog';
import { get } from '../testing/catalog/wire-case';

const STAMP = { time: 1, actor: 'urn:li:corpuser:x' };
const MANY_UPSTREAMS = 70_000;
const upstream = (name: string): JsonOutputObject => ({
  dataset: dataset(name),
  type: 'TRANSFORMED',
  auditStamp: STAMP,
});
const lineage = (from: number): RawRequest =>
  ingest(dataset('derived'), 'upstreamLineage', {
    upstreams: many(MANY_UPSTREAMS, (at) => upstream(String(from + at))),
  });
const schema = (description: string): RawRequest =>
  ingest(dataset('wide'), 'schemaMetadata', {
    schemaName: 'wide',
    platform: 'urn:li:dataPlatform:hive',
    version: 0,
    hash: '',
    platformSchema: { OtherSchema: { rawSchema: '' } },
    fields: many(60_000, (at) => ({
      fieldPath: `f${String(at)}`,
      nativeDataType: 'text',
      type: { type: { StringType: {} } },
      description: `${description} ${String(at)}`,
    })),
  });
const properties = (name: string, count: number): RawRequest =>
  ingest(dataset(name), 'datasetProperties', {
    customProperties: Object.fromEntries(many(count, (at) => [`k${String(at)}`, 'v'])),
  });

const tag = (at: number): string => `urn:li:tag:${String(at)}`;
const columnOf = (name: string, at: number): string =>
  encodeURIComponent(`urn:li:schemaField:(${dataset(name)},c${String(at)})`);

/** In this order: some change what those before them wrote. */
const CASES: readonly LargeCase[] = [
  ['a lineage of 70,000 upstreams', 200, () => lineage(0)],
  ['another lineage that has half of them', 200, () => lineage(MANY_UPSTREAMS / 2)],
  [
    'a patch of 10,000 operations on it',
    200,
    () =>
      patch(
        dataset('derived'),
        'upstreamLineage',
        many(10_000, (at) => ({
          op: 'add',
          path: `/upstreams/${encodeURIComponent(dataset(`p${String(at)}`))}`,
          value: upstream(`p${String(at)}`),
        })),
      ),
  ],
  ['the timeline of it', 200, () => get(`/entitiesV2/${encodeURIComponent(dataset('derived'))}/timeline`)],
  [
    'a patch of 10,000 columns and their upstreams',
    200,
    () =>
      patch(
        dataset('columns'),
        'upstreamLineage',
        many(10_000, (at) => ({
          op: 'add',
          path: `/fineGrainedLineages/NONE/${columnOf('columns', at % 100)}/NONE/${columnOf('above', at)}`,
          value: { confidenceScore: 1 },
        })),
      ),
  ],
  ['a schema of 60,000 fields', 200, () => schema('first')],
  ['another schema of 60,000 fields', 200, () => schema('second')],
  ['the timeline of it', 200, () => get(`/entitiesV2/${encodeURIComponent(dataset('wide'))}/timeline`)],
  [
    '100,000 tags',
    200,
    () => ingest(dataset('tagged'), 'globalTags', { tags: many(100_000, (at) => ({ tag: tag(at) })) }),
  ],
  ['an object of 20,000 members', 200, () => properties('flat', 20_000)],
  ['an object of 20,001 members', 422, () => properties('flatter', 20_001)],
  [
    'a timeseries value of 12 MB',
    200,
    () =>
      ingest(dataset('profiled'), 'datasetProfile', {
        timestampMillis: 1,
        fieldProfiles: many(60_000, (at) => ({
          fieldPath: `f${String(at)}`,
          sampleValues: many(10, (n) => `sample ${String(n)}`),
        })),
      }),
  ],
];
describeAlongsideReads('a large value alongside 200 reads a second', CASES, MAX_P99_OF_VALUES_MS);
