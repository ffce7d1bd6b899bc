import { describe, expect, test } from '@jest/globals';
import { modelOf, oneAspect, type ModelFiles } from '../testing/model-of';
import { compareModels } from './model-changes';
import { toModelShape } from './model-shape';

const more: ModelFiles = {
  'Urn.pdl': '@Urn typeref Urn = string',
  'ThingUrn.pdl': '@Urn = {"entityType": "thing"} typeref ThingUrn = string',
  'Colour.pdl': 'enum Colour { RED, BLUE }',
  'Part.pdl': 'record Part { size: int }',
};

async function changes(before: ModelFiles, after: ModelFiles): Promise<readonly string[]> {
  const [old, next] = await Promise.all([modelOf([before]), modelOf([after])]);
  return compareModels(toModelShape(old), toModelShape(next)).map(
    ({ isBreaking, place, what }) => `${isBreaking ? 'BREAKS ' : ''}${place}: ${what}`,
  );
}

describe('compareModels', () => {
  test.each([
    ['', 'a: optional string', 'ThingInfo.a: added'],
    ['', 'a: string = "x"', 'ThingInfo.a: added'],
    ['', 'a: string', 'BREAKS ThingInfo.a: added and required'],
    ['a: optional string', '', 'BREAKS ThingInfo.a: removed'],
    ['a: optional string', 'a: string', 'BREAKS ThingInfo.a: made required'],
    ['a: string', 'a: optional string', 'ThingInfo.a: made optional'],
    ['a: int', 'a: long', 'ThingInfo.a: type int became long'],
    ['a: long', 'a: int', 'BREAKS ThingInfo.a: type long became int'],
    ['a: ThingUrn', 'a: Urn', 'ThingInfo.a: type urn thing became urn'],
    ['a: Urn', 'a: ThingUrn', 'BREAKS ThingInfo.a: type urn became urn thing'],
    ['a: Colour', 'a: string', 'ThingInfo.a: type Colour became string'],
    ['a: array[int]', 'a: array[string]', 'BREAKS ThingInfo.a/*: type int became string'],
    ['a: array[int]', 'a: map[string, int]', 'BREAKS ThingInfo.a: type array[int] became map[string, int]'],
    ['a: union[int]', 'a: union[int, Part]', 'ThingInfo.a: member Part added'],
    ['a: union[int, Part]', 'a: union[int]', 'BREAKS ThingInfo.a: member Part removed'],
  ])('given %j, then %j: %s', async (before, after, change) => {
    expect(await changes(oneAspect(before, more), oneAspect(after, more))).toEqual([change]);
  });

  test('finds no change in other docs, annotations, order and files', async () => {
    const before = oneAspect('a: string, b: Part', more);
    const after = oneAspect('/** New. */ b: Part, @Searchable a: string', {
      ...more,
      'Other.pdl': 'record Other { x: int }',
    });
    expect(await changes(before, after)).toEqual([]);
  });

  test('finds that removed symbols break', async () => {
    const fields = 'a: Colour';
    expect(
      await changes(
        oneAspect(fields, more),
        oneAspect(fields, { ...more, 'Colour.pdl': 'enum Colour { BLUE, GREEN }' }),
      ),
    ).toEqual(['BREAKS Colour: symbol RED removed', 'Colour: symbol GREEN added']);
  });

  test('finds that entities and aspects break when they are removed or of another kind', async () => {
    const registry = 'entity-registry.yml';
    const before = oneAspect('timestampMillis: long', {
      [registry]:
        'entities: [{name: thing, keyAspect: thingKey, aspects: [thingInfo]}, {name: old, keyAspect: thingKey}]',
    });
    const after = oneAspect('', {
      [registry]:
        'entities: [{name: thing, keyAspect: thingKey, aspects: [thingInfo, more]}, {name: new, keyAspect: thingKey}]',
      'ThingInfo.pdl':
        '@Aspect = {"name": "thingInfo", "type": "timeseries"} record ThingInfo { timestampMillis: long }',
      'ThingKey.pdl': '@Aspect = {"name": "thingKey"} record ThingKey { id: string, side: string = "a" }',
      'More.pdl': '@Aspect = {"name": "more"} record More {}',
    });

    expect(await changes(before, after)).toEqual([
      'BREAKS entity thing: parts of the key id became id,side',
      'entity thing: aspect more added',
      'BREAKS entity old: removed',
      'entity new: added',
      'BREAKS aspect thingInfo: versioned became timeseries',
      'aspect more: added',
      'ThingKey.side: added',
    ]);
  });
});
