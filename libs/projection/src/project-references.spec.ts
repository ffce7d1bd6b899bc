import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type {
  EntryProjection,
  ReferenceRules,
  SearchDocument,
  StoredAspect,
  StoredEntity,
} from '@stratalog/domain';
import { allSteps, stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { matches, parseQuery } from '@stratalog/search-text';
import { searchProjection } from './search-projection';

const COLUMN = 'urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD),cust_no)';
const ATTRIBUTE = 'urn:li:businessAttribute:7f3a';

const entity = (urn: string, aspects: Readonly<Record<string, JsonOutputObject>>): StoredEntity => ({
  urn,
  seq: 3,
  deleted: false,
  aspects: Object.entries(aspects).map(([name, value]): StoredAspect => {
    const created = { time: 1, actor: 'urn:li:corpuser:x' };
    const common = { version: 1, created, aspectCreated: created, systemMetadata: {}, observed: {} };
    return { name, value: stringifyJson(value), ...common };
  }),
});
const column = (...attributes: readonly string[]): StoredEntity => {
  const [businessAttributeUrn = ATTRIBUTE] = attributes;
  return entity(COLUMN, { businessAttributes: { businessAttribute: { businessAttributeUrn } } });
};
const attribute = entity(ATTRIBUTE, {
  businessAttributeInfo: { name: 'Customer number', description: 'Identifies a buyer', fieldPath: 'x' },
});

describe('documents with references', () => {
  let registry: EntityRegistry;
  let projection: EntryProjection<SearchDocument>;
  let rules: ReferenceRules;
  beforeAll(async () => {
    registry = await loadModel({ folders: [join(import.meta.dirname, '../../../models')] });
    projection = searchProjection(registry);
    if (projection.references === undefined) throw new Error('the model has no references');
    rules = projection.references;
  });
  const finds = (document: SearchDocument | undefined, query: string): boolean =>
    matches(
      parseQuery(query, registry.entityType('schemaField')?.searchFields ?? new Map()),
      document?.text ?? [],
    );

  test('have the searched fields of the referenced entity', () => {
    const alone = allSteps(projection.project(column()));
    const both = allSteps(projection.project(column(), new Map([[ATTRIBUTE, attribute]])));

    for (const query of ['customer number', 'buyer', 'businessAttributeRef.name:customer']) {
      expect([query, finds(alone, query), finds(both, query)]).toEqual([query, false, true]);
    }
    expect(both?.values['businessAttributeRef.name']).toEqual(['Customer number']);
    expect(both?.filters['businessAttributeRef.name']?.keys).toEqual(['customer number']);
    expect(Object.keys(both?.facets ?? {})).toEqual(Object.keys(alone?.facets ?? {}));
  });

  test('do not take the name of a referenced entity for their own', () => {
    const alone = allSteps(projection.project(column()));
    const both = allSteps(projection.project(column(), new Map([[ATTRIBUTE, attribute]])));
    const names = (document: SearchDocument | undefined) =>
      document?.text.find(({ field }) => field === '_name')?.completions;

    expect(names(both)).toEqual(names(alone));
  });

  test('lists the entities that an entity refers to, of the referenced type', () => {
    expect(allSteps(rules.list(column()))).toEqual([ATTRIBUTE]);
    expect(allSteps(rules.list(column('urn:li:tag:a')))).toEqual([]);
    expect(allSteps(rules.list(attribute))).toEqual([]);
  });

  test.each([
    [ATTRIBUTE, 'businessAttributeInfo', true],
    [ATTRIBUTE, 'businessAttributeKey', true],
    [ATTRIBUTE, 'institutionalMemory', false],
    [COLUMN, 'businessAttributes', false],
    ['urn:li:tag:a', 'status', false],
  ])('a change of %s %s affects referrers: %s', (urn, aspectName, expected) => {
    expect(rules.affects({ partition: 0, seq: 1, urn, aspectName, version: 1 })).toBe(expected);
  });
});
