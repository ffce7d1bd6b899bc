import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchDocument, StoredAspect } from '@stratalog/domain';
import { allSteps, stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { loadModel, type EntityRegistry, type EntityType } from '@stratalog/registry';
import { toFilterKey, toFilterToken, matches, parseQuery } from '@stratalog/search-text';
import { projectDocument, makeTombstone } from './project-document';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,sales.OrderItems,PROD)';

let registry: EntityRegistry;
let dataset: EntityType;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../models')] });
  const found = registry.entityType('dataset');
  if (found === undefined) throw new Error('the model has no dataset');
  dataset = found;
});

function aspect(name: string, value: JsonOutputObject): StoredAspect {
  const created = { time: 1, actor: 'urn:li:corpuser:x' };
  const aspectCreated = created;
  return {
    name,
    version: 1,
    value: stringifyJson(value),
    created,
    aspectCreated,
    systemMetadata: {},
    observed: {},
  };
}

const KEY = aspect('datasetKey', {
  platform: 'urn:li:dataPlatform:hive',
  name: 'sales.OrderItems',
  origin: 'PROD',
});
const documentWith = (...aspects: readonly StoredAspect[]): SearchDocument =>
  allSteps(projectDocument(dataset, { urn: URN, seq: 7, deleted: false, aspects: [KEY, ...aspects] }));
const finds = (document: SearchDocument, query: string): boolean =>
  matches(parseQuery(query, dataset.searchFields), document.text);

describe('projectDocument', () => {
  it('carries urn, type and the entity’s seq', () => {
    expect(documentWith()).toMatchObject({ urn: URN, entityType: 'dataset', seq: 7, removed: false });
  });

  it('contains the values of the searchable fields, by search name', () => {
    const document = documentWith(
      aspect('datasetProperties', { description: 'Rows', customProperties: { team: 'sales' }, tags: ['x'] }),
      aspect('globalTags', { tags: [{ tag: 'urn:li:tag:b' }, { tag: 'urn:li:tag:a' }] }),
    );
    expect(document.values).toMatchObject({
      urn: [URN],
      platform: ['urn:li:dataPlatform:hive'],
      origin: ['PROD'],
      description: ['Rows'],
      hasDescription: [true],
      customProperties: ['team=sales'],
      tags: ['urn:li:tag:b', 'urn:li:tag:a'],
    });
  });

  it('contains the latest values of timeseries aspects', () => {
    const latest = (aspectName: string, value: JsonOutputObject) => ({
      aspectName,
      timestampMs: 5,
      seq: 9,
      value: stringifyJson({ timestampMillis: 5, ...value }),
    });
    const document = allSteps(
      projectDocument(dataset, {
        urn: URN,
        seq: 9,
        deleted: false,
        aspects: [KEY],
        latestValues: [
          latest('datasetProfile', { rowCount: 12 }),
          latest('operation', { operationType: 'INSERT', lastUpdatedTimestamp: 4_000 }),
        ],
      }),
    );
    expect(document.values).toMatchObject({
      rowCount: [12],
      hasRowCount: [true],
      hasColumnCount: [false],
      lastOperationTime: [4_000],
    });
    expect(documentWith().values).not.toHaveProperty('hasRowCount');
  });

  it('stores only the start of long values, but matches all of them', () => {
    const customProperties = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`key${String(at)}`, 'x'.repeat(50)]),
    );
    const description = `${'word '.repeat(199)}wor😀 and lastly a narwhal`;
    const document = documentWith(aspect('datasetProperties', { description, customProperties }));
    const held = Object.values(document.values).flat().map(String).join('');
    expect(held.length).toBeLessThanOrEqual(8_000);
    expect(held).not.toMatch(/\p{Surrogate}/u);
    expect(String(document.values.description?.[0]).length).toBeLessThanOrEqual(1_000);
    expect(finds(document, 'narwhal')).toBe(true);
  });

  it('counts as facets the filters of the model, as text', () => {
    const document = documentWith(
      aspect('globalTags', { tags: [{ tag: 'urn:li:tag:a' }] }),
      aspect('deprecation', { deprecated: true, note: '', actor: 'urn:li:corpuser:x' }),
    );
    expect(document.facets).toEqual({
      _entityType: ['dataset'],
      platform: ['urn:li:dataPlatform:hive'],
      origin: ['PROD'],
      tags: ['urn:li:tag:a'],
      deprecated: ['true'],
    });
  });

  it('has filter keys for every searched value and for removed', () => {
    const document = documentWith(
      aspect('datasetProperties', { description: `long ${'x'.repeat(5_000)}`, lastModified: { time: 5 } }),
    );
    const { description, lastModifiedAt, removed, tags, urn } = document.filters;
    expect(description?.tokens).toEqual([toFilterToken(`long ${'x'.repeat(5_000)}`)]);
    expect(lastModifiedAt?.keys).toEqual([toFilterKey(5)]);
    expect(removed?.keys).toEqual(['false']);
    expect(tags).toBeUndefined();
    expect(urn?.keys).toEqual([URN.toLowerCase()]);
    expect(documentWith(aspect('status', { removed: true })).filters.removed?.keys).toEqual(['true']);
  });

  it('has a lower weight when an aspect says so', () => {
    const deprecation = (deprecated: boolean) =>
      aspect('deprecation', { deprecated, note: '', actor: 'urn:li:corpuser:x' });
    const { weight } = documentWith();
    expect(weight).toBeGreaterThan(0.9);
    expect(documentWith(deprecation(false)).weight).toBe(weight);
    expect(documentWith(deprecation(true)).weight).toBeCloseTo(weight / 2, 10);
  });

  it('is removed when the status says so', () => {
    expect(documentWith(aspect('status', { removed: true })).removed).toBe(true);
    expect(documentWith(aspect('status', { removed: false })).removed).toBe(false);
    expect(documentWith(aspect('status', {})).removed).toBe(false);
  });

  it('is a tombstone after a hard delete', () => {
    const entity = { urn: URN, seq: 8, deleted: true, aspects: [] };
    expect(makeTombstone('dataset', entity)).toMatchObject({
      seq: 8,
      removed: true,
      deleted: true,
      filters: {},
    });
    expect(documentWith()).toMatchObject({ deleted: false });
  });

  it('joins the values of two aspects with one field, each once', () => {
    const document = documentWith(
      aspect('datasetProperties', { description: 'written by a machine' }),
      aspect('editableDatasetProperties', { description: 'written by hand' }),
    );
    expect(finds(document, '"by a machine"') && finds(document, '"by hand"')).toBe(true);
    expect(finds(document, '"machine written"')).toBe(false);
    const { description } = documentWith(
      aspect('datasetProperties', { description: 'twice' }),
      aspect('editableDatasetProperties', { description: 'twice' }),
    ).values;
    expect(description).toEqual(['twice']);
  });

  it('does not depend on the order of reading', () => {
    const aspects = [
      aspect('datasetProperties', { description: 'a machine', name: 'n' }),
      aspect('editableDatasetProperties', { description: 'by hand' }),
      aspect('globalTags', { tags: [{ tag: 'urn:li:tag:a' }] }),
      aspect('status', { removed: true }),
    ];
    expect(documentWith(...[...aspects].reverse())).toEqual(documentWith(...aspects));
  });

  it('ignores aspects outside the model', () => {
    expect(documentWith(aspect('formerAspect', { description: 'x' }))).toEqual(documentWith());
  });

  it('matches its contents, and nothing else', () => {
    const document = documentWith(
      aspect('datasetProperties', { description: 'One row for each item' }),
      aspect('globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] }),
    );
    for (const query of [
      'order items',
      'OrderItems',
      '"each item"',
      'tags:urn:li:tag:pii',
      'origin:PROD',
      '*',
    ]) {
      expect([query, finds(document, query)]).toEqual([query, true]);
    }
    for (const query of ['customer', 'tags:urn:li:tag:other', '"item each"', '-order']) {
      expect([query, finds(document, query)]).toEqual([query, false]);
    }
  });

  it('accepts any value that the model allows', () => {
    const long = 'x'.repeat(100_000);
    const document = documentWith(
      aspect('datasetProperties', {
        description: `nul \u0000 ${long}`,
        customProperties: { 'a\u0000': '\u0000', constructor: 'y' },
        created: { time: 2n ** 62n },
      }),
      aspect('subTypes', { typeNames: ['', '\u0000', long] }),
    );
    expect(finds(document, 'nul')).toBe(true);
    expect(document.values.typeNames).toEqual(['\u0000', long.slice(0, 1_000)]);
  });
});
