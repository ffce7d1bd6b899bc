import type { JsonObject } from '@stratalog/json';
import { describe, expect, test } from '@jest/globals';
import type { AspectType } from '../model/entity-registry';
import { modelOf } from '../testing/model-of';
import { thingInfo, valuesOf } from '../testing/thing-info';

const listPaths = (aspect: AspectType) =>
  aspect.searchFields.map(({ path, field }) => `${path} -> ${field.name} ${field.type}`);

const fieldOf = async (annotation: JsonObject | true, type = 'string') => {
  const value = annotation === true ? '' : ` = ${JSON.stringify(annotation)}`;
  return (await thingInfo(`@Searchable${value} x: ${type}`)).searchFields[0];
};

describe('the search fields of an aspect', () => {
  test('have the defaults of an empty annotation', async () => {
    const plain = {
      name: 'x',
      type: 'TEXT',
      queryByDefault: true,
      boost: 1,
      autocomplete: false,
      aliases: [],
    };

    expect((await fieldOf({}))?.field).toEqual(plain);
    expect((await fieldOf(true))?.field).toEqual(plain);
  });

  test.each([
    ['string', 'TEXT', true],
    ['int', 'COUNT', false],
    ['long', 'TEXT', true],
    ['double', 'DOUBLE', false],
    ['float', 'DOUBLE', false],
    ['map[string, string]', 'KEYWORD', false],
    ['enum E { A }', 'TEXT', true],
  ])('given a %s without fieldType, then it is %s', async (type, fieldType, queryByDefault) => {
    expect((await fieldOf({}, type))?.field).toMatchObject({ type: fieldType, queryByDefault });
  });

  test('read all options, and keep others', async () => {
    const found = await fieldOf({
      fieldName: 'y',
      fieldType: 'KEYWORD',
      queryByDefault: true,
      boostScore: 2.5,
      enableAutocomplete: true,
      addToFilters: true,
      filterNameOverride: 'The Y',
      fieldNameAliases: ['z', '_entityName'],
      hasValuesFieldName: 'hasY',
      addHasValuesToFilters: true,
      numValuesFieldName: 'numY',
      searchTier: 2,
    });

    expect(found).toMatchObject({
      field: {
        name: 'y',
        type: 'KEYWORD',
        queryByDefault: true,
        boost: 2.5,
        autocomplete: true,
        filterName: 'The Y',
        aliases: ['z', '_entityName'],
      },
      hasValues: { name: 'hasY', type: 'BOOLEAN', queryByDefault: false, filterName: 'HasY' },
      numValues: { name: 'numY', type: 'COUNT' },
      options: { searchTier: 2 },
    });
  });

  test('have label, weights, markup and the time of writing in their places', async () => {
    const found = await fieldOf({
      searchLabel: 'entityName',
      weightsPerFieldValue: { true: 0.5 },
      sanitizeRichText: true,
      includeSystemModifiedAt: true,
    });

    expect(found?.field.aliases).toEqual(['entityName']);
    expect([...(found?.weights ?? [])]).toEqual([['true', 0.5]]);
    expect(found).toMatchObject({
      isRichText: true,
      modifiedAt: { name: 'xSystemModifiedAt', type: 'DATETIME' },
    });
  });

  test.each([
    [{ weightsPerFieldValue: { a: 0 } }, 'expected a number above 0 as the weight of a'],
    [{ weightsPerFieldValue: [] }, 'expected weightsPerFieldValue to map values to numbers'],
  ])('given %j, then it is rejected', async (annotation, reason) => {
    await expect(fieldOf(annotation as JsonObject)).rejects.toThrow(reason);
  });

  test("end with the urn of a reference, after the aspect's own", async () => {
    const aspect = await thingInfo(`
      @SearchableRef = {"/*/tag": {"fieldName": "tagRef", "refType": "tag"}} uses: array[record Use { tag: Urn }] = []
      @Searchable = {} name: optional string
    `);

    expect(listPaths(aspect)).toEqual(['/name -> name TEXT', '/uses/*/tag -> tagRef URN']);
    await expect(thingInfo('@SearchableRef = {} tag: Urn')).rejects.toThrow('expected a refType');
    await expect(thingInfo('@SearchableRef = {"refType": "tag"} n: int')).rejects.toThrow('expected a urn');
  });

  test('ignore options of the wrong JSON type', async () => {
    expect(
      (await fieldOf({ queryByDefault: 'false', boostScore: '3', fieldName: 1, filterNameOverride: 'F' }))
        ?.field,
    ).toEqual({
      name: 'x',
      type: 'TEXT',
      queryByDefault: true,
      boost: 1,
      autocomplete: false,
      aliases: [],
    });
  });

  test('follow an outer annotation with paths in place of the inner one, at those paths only', async () => {
    const outer =
      '@Searchable = {"/tags/*/tag": {"fieldName": "fieldTags"}, "/tags/*/at/time": {"fieldName": "at", "fieldType": "DATETIME"}}';

    expect(listPaths(await thingInfo('tags: Tags'))).toEqual(['/tags/tags/*/tag -> tags URN']);
    expect(listPaths(await thingInfo(`${outer} tags: Tags`))).toEqual([
      '/tags/tags/*/tag -> fieldTags TEXT',
      '/tags/tags/*/at/time -> at DATETIME',
    ]);
    expect(listPaths(await thingInfo('@Searchable = {"/tags/*/tag": null} tags: Tags'))).toEqual([]);
  });

  test('follow paths into arrays, maps, unions and plain values', async () => {
    const aspect = await thingInfo(`
      @Searchable = {"/*": {}} names: array[string]
      @Searchable = {"/*": {}} map: map[string, string]
      @Searchable = {"/$key": {"fieldType": "MAP_ARRAY"}} lists: map[string, array[Urn]]
      @Searchable = {"/*/string": {"fieldName": "either"}} unions: array[union[string, int]]
      @Searchable = {"/*": {"fieldType": "URN"}} parent: optional Urn
      @Searchable = {"/Stamp/time": {}} union: union[Stamp, null]
    `);

    expect(listPaths(aspect)).toEqual([
      '/names/* -> names TEXT',
      '/map -> map KEYWORD',
      '/lists -> lists MAP_ARRAY',
      '/unions/*/string -> either TEXT',
      '/parent -> parent URN',
      '/union/Stamp/time -> time TEXT',
    ]);
  });

  test('are named by their path where an earlier one has the same name', async () => {
    const aspect = await thingInfo(`
      @Searchable = {"fieldName": "tags"} label: string
      first: array[Tags]
    `);

    expect(listPaths(aspect)).toEqual(['/label -> tags TEXT', '/first/*/tags/*/tag -> first__tags__tag URN']);
  });

  test('are found once in a record inside itself', async () => {
    const aspect = await thingInfo(
      'tree: record Tree { @Searchable = {} name: string, children: array[Tree] }',
    );

    expect(listPaths(aspect)).toEqual(['/tree/name -> name TEXT']);
  });

  test('are found through union members of another vendor', async () => {
    const member = '{ namespace com.linkedin.a record M { s: string } }';
    const aspect = await thingInfo(`@Searchable = {"/com.linkedin.a.M/s": {}} u: union[${member}]`, 'acme');

    expect(listPaths(aspect)).toEqual(['/u/com.acme.a.M/s -> s TEXT']);
    expect(valuesOf(aspect, { u: { 'com.acme.a.M': { s: 'x' } } })).toEqual({ s: ['x'] });
  });

  test('prefer names to aliases, and the first aspect of an entity type', async () => {
    const registry = await modelOf([
      {
        'entity-registry.yml': 'entities: [{name: thing, keyAspect: thingKey, aspects: [one, two]}]',
        'K.pdl':
          '@Aspect = {"name": "thingKey"} record K { @Searchable = {"fieldNameAliases": ["title", "label"]} id: string }',
        'One.pdl': '@Aspect = {"name": "one"} record One { @Searchable = {"boostScore": 2} title: string }',
        'Two.pdl':
          '@Aspect = {"name": "two"} record Two { @Searchable = {"boostScore": 3, "hasValuesFieldName": "hasTitle"} title: string }',
      },
    ]);
    const fields = registry.entityType('thing')?.searchFields;

    expect([...(fields?.keys() ?? [])]).toEqual(['urn', 'id', 'title', 'hasTitle', 'label']);
    expect(fields?.get('title')?.boost).toBe(2);
    expect(fields?.get('label')?.name).toBe('id');
  });
});
