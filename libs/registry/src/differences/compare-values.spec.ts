import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allSteps, parseJson, type JsonValue } from '@stratalog/json';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { ARRAY_KEYS } from './array-keys';
import { compareValues } from './compare-values';

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
});

const between = (aspect: string, before: JsonValue | undefined, after: JsonValue | undefined) => {
  const record = registry.aspect(aspect)?.record;
  if (record === undefined) throw new Error(`no aspect ${aspect}`);
  return allSteps(compareValues(record, before, after));
};
const owner = (name: string, type: string, more: object = {}) => ({
  owner: `urn:li:corpuser:${name}`,
  type,
  ...more,
});
const field = (fieldPath: string, more: object = {}) => ({ fieldPath, nativeDataType: 'text', ...more });

describe('compareValues', () => {
  it('finds nothing between equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = parseJson(JSON.stringify(value));
        expect(between('datasetProperties', json, json)).toEqual([]);
      }),
    );
  });

  it('reports an added and a removed value as a whole', () => {
    expect(between('status', undefined, { removed: true })).toEqual([
      { path: '', kind: 'added', newValue: { removed: true } },
    ]);
    expect(between('status', { removed: true }, undefined)).toEqual([
      { path: '', kind: 'removed', oldValue: { removed: true } },
    ]);
  });

  it('names fields and the keys of maps by JSON pointers', () => {
    const before = { description: 'a', customProperties: { 'a/b~c': '1', gone: 'x' } };
    const after = { description: 'b', customProperties: { 'a/b~c': '2' }, name: 'n' };
    expect(between('datasetProperties', before, after)).toEqual([
      { path: '/customProperties/a~1b~0c', kind: 'changed', oldValue: '1', newValue: '2' },
      { path: '/customProperties/gone', kind: 'removed', oldValue: 'x' },
      { path: '/description', kind: 'changed', oldValue: 'a', newValue: 'b' },
      { path: '/name', kind: 'added', newValue: 'n' },
    ]);
  });

  it('names elements by their keys, at any index', () => {
    const [a, b, c] = [owner('a', 'DATAOWNER'), owner('b', 'STAKEHOLDER'), owner('c', 'PRODUCER')];
    expect(between('ownership', { owners: [a, b] }, { owners: [c, a] })).toEqual([
      { path: '/owners/urn:li:corpuser:b/STAKEHOLDER', kind: 'removed', oldValue: b },
      { path: '/owners/urn:li:corpuser:c/PRODUCER', kind: 'added', newValue: c },
    ]);
    const sourced = owner('a', 'DATAOWNER', { source: { type: 'MANUAL' } });
    expect(between('ownership', { owners: [a, b] }, { owners: [sourced, b] })).toEqual([
      { path: '/owners/urn:li:corpuser:a/DATAOWNER/source', kind: 'added', newValue: { type: 'MANUAL' } },
    ]);
  });

  it('descends into fields of schemas and into lists within lists', () => {
    const tagged = { globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] } };
    const before = { fields: [field('id'), field('name')] };
    const after = {
      fields: [field('id', tagged), field('name', { nativeDataType: 'varchar' }), field('a/b')],
    };
    expect(between('schemaMetadata', before, after)).toEqual([
      { path: '/fields/id/globalTags', kind: 'added', newValue: tagged.globalTags },
      { path: '/fields/name/nativeDataType', kind: 'changed', oldValue: 'text', newValue: 'varchar' },
      { path: '/fields/a~1b', kind: 'added', newValue: field('a/b') },
    ]);
    const without = { fields: [field('id', { globalTags: { tags: [] } })] };
    expect(between('schemaMetadata', without, { fields: [field('id', tagged)] })).toEqual([
      {
        path: '/fields/id/globalTags/tags/urn:li:tag:pii',
        kind: 'added',
        newValue: { tag: 'urn:li:tag:pii' },
      },
    ]);
  });

  it('reports a new order of keyed elements', () => {
    const [a, b] = [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:b' }];
    expect(between('globalTags', { tags: [a, b] }, { tags: [b, a] })).toEqual([
      { path: '/tags', kind: 'reordered' },
    ]);
  });

  it('uses plain values as keys, and indices when keys are missing or doubled', () => {
    expect(between('browsePaths', { paths: ['/a', '/b'] }, { paths: ['/b', '/c'] })).toEqual([
      { path: '/paths/~1a', kind: 'removed', oldValue: '/a' },
      { path: '/paths/~1c', kind: 'added', newValue: '/c' },
    ]);
    expect(between('browsePathsV2', { path: [{ id: 'a' }] }, { path: [{ id: 'b' }, { id: 'a' }] })).toEqual([
      { path: '/path/0/id', kind: 'changed', oldValue: 'a', newValue: 'b' },
      { path: '/path/1', kind: 'added', newValue: { id: 'a' } },
    ]);
    const doubled = { tags: [{ tag: 'urn:li:tag:a' }, { tag: 'urn:li:tag:a' }] };
    expect(between('globalTags', doubled, { tags: [{ tag: 'urn:li:tag:a' }] })).toEqual([
      { path: '/tags/1', kind: 'removed', oldValue: { tag: 'urn:li:tag:a' } },
    ]);
  });

  it('reports a union of another type as one change', () => {
    const [kafka, other] = [
      { 'com.linkedin.schema.KafkaSchema': { documentSchema: 'a' } },
      { 'com.linkedin.schema.OtherSchema': { rawSchema: 'b' } },
    ];
    expect(between('schemaMetadata', { platformSchema: kafka }, { platformSchema: other })).toEqual([
      { path: '/platformSchema', kind: 'changed', oldValue: kafka, newValue: other },
    ]);
    const longer = { 'com.linkedin.schema.KafkaSchema': { documentSchema: 'ab' } };
    expect(between('schemaMetadata', { platformSchema: kafka }, { platformSchema: longer })).toMatchObject([
      { path: '/platformSchema/com.linkedin.schema.KafkaSchema/documentSchema', kind: 'changed' },
    ]);
  });

  it('compares integers of any size', () => {
    expect(
      between(
        'datasetProperties',
        parseJson('{"x":9223372036854775807}'),
        parseJson('{"x":9223372036854775806}'),
      ),
    ).toHaveLength(1);
    expect(
      between(
        'datasetProperties',
        parseJson('{"x":9223372036854775807}'),
        parseJson('{"x":9223372036854775807}'),
      ),
    ).toEqual([]);
  });

  it('has keys only for records that exist and have those fields', () => {
    for (const [name, keys] of ARRAY_KEYS) {
      const records = registry.types.filter(
        (type) => type.kind === 'record' && type.name.endsWith(`.${name}`),
      );
      expect({ name, records: records.length }).not.toEqual({ name, records: 0 });
      for (const type of records) {
        const fields = type.kind === 'record' ? type.fields.map((each) => each.name) : [];
        expect({ name, fields }).toEqual({ name, fields: expect.arrayContaining([...keys]) });
      }
    }
  });
});
