import { describe, expect, test } from '@jest/globals';
import type { EntityRegistry } from '../model/entity-registry';
import { modelOf } from '../testing/model-of';

function modelWith(
  fields: string,
  aspect = '{"name": "usage", "type": "timeseries"}',
): Promise<EntityRegistry> {
  return modelOf([
    {
      'entity-registry.yml': 'entities: [{name: thing, keyAspect: thingKey, aspects: [usage]}]',
      'ThingKey.pdl': '@Aspect = {"name": "thingKey"} record ThingKey { id: string }',
      'Usage.pdl': `@Aspect = ${aspect} record Usage {\n${fields}\n}`,
    },
  ]);
}

describe('the fields of a timeseries aspect', () => {
  test('have the names of their annotations, in collections too', async () => {
    const registry = await modelWith(`
      timestampMillis: long
      @TimeseriesField = {} views: optional long
      @TimeseriesField = {"name": "seen", "fieldType": "DATETIME", "aggregationType": "SUM"} lastSeen: optional long
      @TimeseriesFieldCollection = {"key": "user"} users: array[record UserCount { user: string, @TimeseriesField = {} count: int }] = []
      @TimeseriesFieldCollection = {"key": "query"} queries: array[string] = []
    `);

    expect(registry.aspect('usage')?.timeseries).toMatchObject({
      fields: [
        { field: 'views', name: 'views', aggregation: 'LATEST', isTime: false },
        { field: 'lastSeen', name: 'seen', aggregation: 'SUM', isTime: true },
      ],
      collections: [
        { field: 'users', name: 'users', key: 'user', fields: [{ name: 'count' }] },
        { field: 'queries', name: 'queries', key: 'query', fields: [] },
      ],
    });
    expect(registry.warnings).toEqual([]);
  });

  test.each([
    ['views: long', 'needs a field timestampMillis: long'],
    ['timestampMillis: long, @TimeseriesFieldCollection = {} all: array[string]', 'expected a key'],
    ['timestampMillis: long, @TimeseriesFieldCollection = {"key": "a"} all: string', 'expected an array'],
    [
      'timestampMillis: long, @TimeseriesFieldCollection = {"key": "a"} all: array[record B { b: int }]',
      'B has no field a',
    ],
  ])('given %s, then it is rejected', async (fields, reason) => {
    await expect(modelWith(fields)).rejects.toThrow(reason);
  });

  test('annotations for timeseries have no effect on a versioned aspect, and make a warning', async () => {
    const registry = await modelWith('@TimeseriesField = {} views: long', '{"name": "usage"}');

    expect(registry.aspect('usage')).not.toHaveProperty('timeseries');
    expect(registry.warnings).toEqual([
      expect.stringMatching(/Usage\.pdl:2:\d+: @TimeseriesField: has no effect in Usage/),
    ]);
  });
});
