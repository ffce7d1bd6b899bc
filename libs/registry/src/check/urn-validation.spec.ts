import type { JsonObject } from '@stratalog/json';
import { describe, expect, test } from '@jest/globals';
import { modelOf, oneAspect } from '../testing/model-of';
import { checkAspect } from '../values/check-aspect';

const more = {
  'entity-registry.yml': `entities:
    - {name: thing, keyAspect: thingKey, aspects: [thingInfo]}
    - {name: part, keyAspect: partKey}`,
  'PartKey.pdl':
    '@Aspect = {"name": "partKey"} record PartKey { thing: ThingUrn, side: enum Side { LEFT, RIGHT } }',
  'Urn.pdl': '@Urn typeref Urn = string',
  'ThingUrn.pdl': '@Urn = {"entityType": "thing"} typeref ThingUrn = string',
  'PartUrn.pdl': '@Urn = {"entityType": "part"} typeref PartUrn = string',
};

/** The faults of a value whose record has these fields. */
async function findFaults(fields: string, value: JsonObject): Promise<readonly string[]> {
  const registry = await modelOf([oneAspect(fields, more)]);
  const aspect = registry.aspect('thingInfo');
  if (aspect === undefined) throw new Error('the aspect is there');
  const check = checkAspect(registry, aspect, value);
  return 'faults' in check ? check.faults.map(({ path, reason }) => `${path} ${reason}`) : [];
}

describe('the urns of a value', () => {
  test.each([
    ['urn:li:part:(urn:li:thing:a,LEFT)', []],
    ['urn:li:part:a', [/: its id must be a tuple of 2 parts \(thing,side\)$/]],
    ['urn:li:part:(urn:li:thing:a,LEFT,x)', [/a tuple of 2 parts/]],
    ['urn:li:part:(urn:li:thing:a,UP)', [/: its part side must be one of LEFT, RIGHT, not "UP"$/]],
    ['urn:li:part:(urn:li:other:a,LEFT)', [/: its part thing must be a urn of type thing/]],
  ])('given a typed one, then its parts must fit the key: %s', async (part, faults) => {
    expect(await findFaults('part: PartUrn', { part })).toEqual(
      faults.map((fault) => expect.stringMatching(fault)),
    );
  });

  test('are checked for their form only where any type is permitted', async () => {
    expect(await findFaults('any: Urn', { any: 'urn:li:part:a' })).toEqual([]);
  });

  test('are checked for their types and parts under @UrnValidation, in lists as well', async () => {
    const fields =
      '@UrnValidation = {"entityTypes": ["thing", "part"], "strict": true, "exist": true} all: array[Urn]';

    expect(
      await findFaults(fields, {
        all: ['urn:li:thing:a', 'urn:li:part:a', 'urn:li:tag:a', 'urn:li:part:(urn:li:thing:a,LEFT)'],
      }),
    ).toEqual([
      expect.stringMatching(/^\/all\/1 must be a urn, not "urn:li:part:a": its id must be a tuple/),
      '/all/2 must be a urn of type thing or part, not "urn:li:tag:a"',
    ]);
    expect(await findFaults('@UrnValidation = {"exist": true} any: Urn', { any: 'urn:li:part:a' })).toEqual(
      [],
    );
  });

  test.each([
    ['@UrnValidation = {} n: int', 'expected a urn, or a list of urns'],
    ['@UrnValidation = {"entityTypes": "thing"} any: Urn', 'expected entityTypes to be a list of names'],
    ['@UrnValidation = {"strict": "true"} any: Urn', 'expected strict to be true or false'],
  ])('given %s, then the model is rejected', async (fields, reason) => {
    await expect(findFaults(fields, {})).rejects.toThrow(reason);
  });
});
