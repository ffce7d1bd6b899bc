import { describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

describe('the model over HTTP', () => {
  const catalog = catalogForSuite();
  const json = async (target: string): Promise<JsonValue | undefined> => {
    const answer = await catalog.http.get(target);
    expect(answer.status).toBe(200);
    return answer.json;
  };

  it('lists every entity, under the prefixes too', async () => {
    const listed = await json('/models/entities');
    expect(at(listed, 'entities')).toHaveLength(catalog.deps.registry.entityTypes.length);
    expect(at(listed, 'fingerprint')).toBe(catalog.deps.registry.fingerprint);
    expect(await json('/api/gms/models/entities')).toEqual(listed);
  });

  it('lists entity types with their aspects for OpenAPI clients, page by page', async () => {
    const { entityTypes } = catalog.deps.registry;
    const total = entityTypes.length;
    const at100 = '/openapi/v1/registry/models/entity/specifications?count=100';
    const names: JsonValue[] = [];
    for (let start = 0; start < total;) {
      const page = await json(`${at100}&start=${String(start)}`);
      expect(page).toMatchObject({ start, total });
      names.push(...(at(page, 'elements') as readonly JsonObject[]).map(({ name }) => name ?? null));
      start += at(page, 'count') as number;
    }
    expect(names).toEqual(entityTypes.map(({ name }) => name));
    const one = await json('/openapi/v1/registry/models/entity/specifications?start=0&count=1');
    const [first] = entityTypes;
    const specOf = (name?: string) => ({ aspectAnnotation: { name } });
    expect(at(one, 'elements')).toEqual([
      {
        name: first?.name,
        keyAspectName: first?.keyAspect.name,
        keyAspectSpec: specOf(first?.keyAspect.name),
        aspectSpecs: [...(first?.aspects.keys() ?? [])].map(specOf),
      },
    ]);
    const behind = await json(`${at100}&start=${String(total)}`);
    expect(behind).toEqual({ start: total, count: 0, total, elements: [] });
  });

  it('describes an entity', async () => {
    expect(await json('/models/entities/dataset')).toMatchObject({
      name: 'dataset',
      searchGroup: 'primary',
      viewUnrestricted: false,
      keyAspect: 'datasetKey',
      keyParts: ['platform', 'name', 'origin'],
      aspects: expect.arrayContaining([
        { name: 'status', kind: 'versioned', record: 'com.linkedin.common.Status' },
      ]),
      searchFields: expect.arrayContaining([expect.objectContaining({ name: 'tags', type: 'URN' })]),
      relationships: expect.arrayContaining([
        expect.objectContaining({ name: 'OwnedBy', aspect: 'ownership', path: '/owners/*/owner' }),
      ]),
    });
  });

  it('describes an aspect, and returns it as a JSON Schema', async () => {
    expect(await json('/models/aspects/status')).toMatchObject({
      name: 'status',
      kind: 'versioned',
      entities: expect.arrayContaining(['dataset']),
      fields: expect.arrayContaining([
        expect.objectContaining({ name: 'removed', type: 'boolean', isRequired: false, default: false }),
      ]),
    });
    const byParameter = await catalog.http.get('/models/aspects/status?format=jsonSchema');
    const byHeader = await catalog.http.get('/models/aspects/status', { Accept: 'application/schema+json' });
    expect([byParameter.status, byHeader.status]).toEqual([200, 200]);
    expect(byParameter.json).toEqual(byHeader.json);
    expect(
      at(byParameter.json, '$defs', 'com.linkedin.common.Status', 'properties', 'removed'),
    ).toMatchObject({
      type: 'boolean',
      default: false,
    });
  });

  it.each([
    ['/models/entities/nothing', 404, 'The model has no entity nothing'],
    ['/models/aspects/nothing', 404, 'The model has no aspect nothing'],
    ['/models/aspects/nothing?format=jsonSchema', 404, 'The model has no aspect nothing'],
    ['/models/aspects/status?format=xml', 400, 'Parameter \'format\' is "xml"; allowed: jsonSchema'],
  ])('rejects %s', async (target, status, message) => {
    const answer = await catalog.http.get(target);
    expect([answer.status, at(answer.json, 'message')]).toEqual([status, message]);
  });
});
