import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadModel } from './load-model';
import { library, modelOf } from '../testing/model-of';

describe('resolveSnapshotTypes', () => {
  it('finds the snapshot of every entity type with one in the shipped model', async () => {
    const { snapshots } = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
    expect([...snapshots.keys()].sort()).toEqual([
      'chart',
      'corpGroup',
      'corpuser',
      'dashboard',
      'dataFlow',
      'dataHubPolicy',
      'dataHubRetention',
      'dataJob',
      'dataPlatform',
      'dataProcess',
      'dataset',
      'glossaryNode',
      'glossaryTerm',
      'mlFeature',
      'mlFeatureTable',
      'mlModel',
      'mlModelDeployment',
      'mlModelGroup',
      'mlPrimaryKey',
      'schemaField',
      'tag',
    ]);
    const dataset = snapshots.get('dataset');
    expect(dataset?.recordName).toBe('com.linkedin.metadata.snapshot.DatasetSnapshot');
    expect(dataset?.aspects.get('com.linkedin.schema.SchemaMetadata')?.name).toBe('schemaMetadata');
    for (const { entityType, aspects } of snapshots.values()) {
      expect([...aspects.values()]).toContain(entityType.keyAspect);
    }
  });

  it('resolves snapshots and their aspects by the names of producers', async () => {
    const registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
    const dataset = registry.snapshots.get('dataset');
    const prefixes = ['', 'com.linkedin.metadata.snapshot.', 'com.linkedin.pegasus2avro.metadata.snapshot.'];
    for (const prefix of prefixes) expect(registry.snapshotNamed(`${prefix}DatasetSnapshot`)).toBe(dataset);
    expect(registry.snapshotNamed('com.example.DatasetSnapshot')).toBeUndefined();
    const ownership = dataset?.aspects.get('com.linkedin.common.Ownership');
    expect(ownership?.name).toBe('ownership');
    for (const name of ['Ownership', 'com.linkedin.pegasus2avro.common.Ownership']) {
      expect(dataset?.aspectsByEveryName.get(name)).toBe(ownership);
    }
  });

  it('follows the vendor, and ignores records that are no snapshots and unknown entities', async () => {
    const files = {
      ...library,
      'snapshots.pdl': `namespace com.linkedin.snapshot
        import com.linkedin.common.Status
        import com.linkedin.key.BookKey
        @Entity = {"name": "Book"}
        record BookSnapshot { urn: string, aspects: array[union[BookKey, Status]] }`,
      'nobody.pdl': `namespace com.linkedin.snapshot
        @Entity = {"name": "nobody"}
        record NobodySnapshot { urn: string, aspects: array[union[string]] }`,
      'plain.pdl': `namespace com.linkedin.snapshot
        @Entity = {"name": "shelf"}
        record ShelfSnapshot { urn: string, aspects: array[string] }`,
    };
    const { snapshots } = await modelOf([files], { vendor: 'example' });
    expect([...snapshots].map(([name, { recordName }]) => [name, recordName])).toEqual([
      ['book', 'com.example.snapshot.BookSnapshot'],
    ]);
    expect([...(snapshots.get('book')?.aspects.keys() ?? [])]).toEqual([
      'com.example.key.BookKey',
      'com.example.common.Status',
    ]);
  });
});
