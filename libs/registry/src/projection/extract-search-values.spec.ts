import { allSteps, parseInSteps, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/model';
import { describe, expect, test } from '@jest/globals';
import type { AspectType } from '../model/entity-registry';
import { modelOf, oneAspect, type ModelFiles } from '../testing/model-of';
import { extractSearchValues as projectValues } from './extract-search-values';

const shared: ModelFiles = {
  'Urn.pdl': '@Urn typeref Urn = string',
  'Stamp.pdl': 'record Stamp { time: long, actor: Urn }',
  'Tags.pdl': `record Tags {
    @Searchable = {"/*/tag": {"fieldName": "tags", "fieldType": "URN", "hasValuesFieldName": "hasTags"}}
    tags: array[record TagUse { tag: Urn, at: optional Stamp }]
  }`,
};

async function thingInfo(fields: string, vendor = 'linkedin'): Promise<AspectType> {
  const registry = await modelOf([oneAspect(fields, shared)], { vendor });
  const aspect = registry.aspect('thingInfo');
  if (aspect === undefined) throw new Error('the aspect is there');
  return aspect;
}

const extractSearchValues = (aspect: AspectType, value: JsonValue, writtenMs?: number) =>
  allSteps(projectValues(aspect, allSteps(parseInSteps(stringifyJson(value))), writtenMs));

/** Values by search name. */
function valuesOf(aspect: AspectType, value: JsonValue): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    extractSearchValues(aspect, value).map(({ field, values }) => [field.name, values]),
  );
}

const listPaths = (aspect: AspectType) =>
  aspect.searchFields.map(({ path, field }) => `${path} -> ${field.name} ${field.type}`);
const fieldOf = async (annotation: JsonObject | true, type = 'string') => {
  const value = annotation === true ? '' : ` = ${JSON.stringify(annotation)}`;
  return (await thingInfo(`@Searchable${value} x: ${type}`)).searchFields[0];
};

describe('the search fields of an aspect', () => {
  test('given an empty annotation, then the defaults apply', async () => {
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

  test('given all options, then they are understood, and others are kept', async () => {
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

  test('given a label, weights, markup and the time of writing, then each has its place', async () => {
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

  test("given a reference, then its urn is searched, after the aspect's own fields", async () => {
    const aspect = await thingInfo(`
      @SearchableRef = {"/*/tag": {"fieldName": "tagRef", "refType": "tag"}} uses: array[record Use { tag: Urn }] = []
      @Searchable = {} name: optional string
    `);

    expect(listPaths(aspect)).toEqual(['/name -> name TEXT', '/uses/*/tag -> tagRef URN']);
    await expect(thingInfo('@SearchableRef = {} tag: Urn')).rejects.toThrow('expected a refType');
    await expect(thingInfo('@SearchableRef = {"refType": "tag"} n: int')).rejects.toThrow('expected a urn');
  });

  test('given options of the wrong JSON type, then they count as absent', async () => {
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

  test('given an outer annotation with paths, then it replaces the inner one at those paths only', async () => {
    const outer =
      '@Searchable = {"/tags/*/tag": {"fieldName": "fieldTags"}, "/tags/*/at/time": {"fieldName": "at", "fieldType": "DATETIME"}}';

    expect(listPaths(await thingInfo('tags: Tags'))).toEqual(['/tags/tags/*/tag -> tags URN']);
    expect(listPaths(await thingInfo(`${outer} tags: Tags`))).toEqual([
      '/tags/tags/*/tag -> fieldTags TEXT',
      '/tags/tags/*/at/time -> at DATETIME',
    ]);
    expect(listPaths(await thingInfo('@Searchable = {"/tags/*/tag": null} tags: Tags'))).toEqual([]);
  });

  test('given paths into arrays, maps, unions and plain values, then each finds its place', async () => {
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

  test('given two places with one name, then the later is named by its path', async () => {
    const aspect = await thingInfo(`
      @Searchable = {"fieldName": "tags"} label: string
      first: array[Tags]
    `);

    expect(listPaths(aspect)).toEqual(['/label -> tags TEXT', '/first/*/tags/*/tag -> first__tags__tag URN']);
  });

  test('given a record inside itself, then its fields are found once', async () => {
    const aspect = await thingInfo(
      'tree: record Tree { @Searchable = {} name: string, children: array[Tree] }',
    );

    expect(listPaths(aspect)).toEqual(['/tree/name -> name TEXT']);
  });

  test('given another vendor, then paths through union members follow', async () => {
    const member = '{ namespace com.linkedin.a record M { s: string } }';
    const aspect = await thingInfo(`@Searchable = {"/com.linkedin.a.M/s": {}} u: union[${member}]`, 'acme');

    expect(listPaths(aspect)).toEqual(['/u/com.acme.a.M/s -> s TEXT']);
    expect(valuesOf(aspect, { u: { 'com.acme.a.M': { s: 'x' } } })).toEqual({ s: ['x'] });
  });

  test('given an entity type, then names come before aliases and the first aspect counts', async () => {
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

describe('extractSearchValues', () => {
  test('given values of every type, then each has the form its field is filtered by', async () => {
    const aspect = await thingInfo(`
      @Searchable = {"fieldType": "COUNT"} count: optional long
      @Searchable = {"fieldType": "DATETIME"} at: optional long
      @Searchable = {"fieldType": "BOOLEAN"} on: optional boolean
      @Searchable = {"fieldType": "KEYWORD"} level: optional int
      @Searchable = {"fieldType": "DATETIME"} day: optional string
      @Searchable = {"/*": {"fieldType": "BROWSE_PATH"}} paths: array[string] = []
      @Searchable = {"/*": {"fieldType": "BROWSE_PATH_V2"}} steps: array[string] = []
      @Searchable = {"/*": {}} map: map[string, string] = {}
      @Searchable = {"/$key": {"fieldType": "MAP_ARRAY"}} lists: map[string, array[string]] = {}
    `);

    expect(
      valuesOf(aspect, {
        count: 2n ** 60n,
        at: 0,
        on: false,
        level: 3,
        day: 'monday',
        paths: ['a/b', '/c', ''],
        steps: ['urn:li:container:x', 'b', 'b', 'c␟d'],
        map: { k: 'v', e: '' },
        lists: { a: ['1', '2'], b: [] },
      }),
    ).toEqual({
      count: [2n ** 60n],
      at: [0],
      on: [false],
      level: ['3'],
      paths: ['/a/b', '/c'],
      steps: ['␟urn:li:container:x␟b␟b␟cd'],
      map: ['k=v', 'e='],
      lists: ['a=1', 'a=2'],
    });
  });

  test('given records in arrays, then the values of all come in order, without empty texts', async () => {
    const aspect = await thingInfo('all: array[Tags] = []');
    const use = (tag: string) => ({ tag });

    expect(
      valuesOf(aspect, {
        all: [{ tags: [use('b'), use('')] }, { tags: [] }, { tags: [use('a'), use('b')] }],
      }),
    ).toEqual({
      tags: ['b', 'a', 'b'],
      hasTags: [true],
    });
    expect(valuesOf(aspect, {})).toEqual({ hasTags: [false] });
  });

  test('given companions, then they contain presence and counts', async () => {
    const companions = (has: string, num: string) =>
      `"hasValuesFieldName": "${has}", "numValuesFieldName": "${num}"`;
    const aspect = await thingInfo(`
      @Searchable = {${companions('hasRows', 'numRows')}} rows: optional int
      @Searchable = {${companions('isOn', 'numOn')}} on: optional boolean
      @Searchable = {"/*": {${companions('hasInputs', 'numInputs')}}} inputs: array[string] = []
      @Searchable = {"/*/to": {"fieldName": "edges", ${companions('hasInputs', 'numInputs')}}} edges: array[record Edge { to: string }] = []
    `);

    expect(valuesOf(aspect, { rows: 7, on: false, inputs: [], edges: [{ to: 'a' }, { to: 'b' }] })).toEqual({
      rows: [7],
      edges: ['a', 'b'],
      hasRows: [true],
      numRows: [7],
      isOn: [false],
      numOn: [1],
      on: ['false'],
      hasInputs: [true],
      numInputs: [2],
    });
    expect(valuesOf(aspect, {})).toEqual({
      hasRows: [false],
      numRows: [0],
      isOn: [false],
      numOn: [0],
      hasInputs: [false],
      numInputs: [0],
    });
  });

  test('given absent fields with defaults, then the defaults are searched', async () => {
    const aspect = await thingInfo(`
      @Searchable = {"fieldType": "BOOLEAN"} removed: boolean = false
      stamp: record Made { @Searchable = {"fieldName": "madeBy"} actor: Urn } = {"actor": "urn:li:user:nobody"}
    `);

    expect(valuesOf(aspect, {})).toEqual({ removed: [false], madeBy: ['urn:li:user:nobody'] });
    expect(valuesOf(aspect, { removed: true, stamp: { actor: 'urn:li:user:a' } })).toEqual({
      removed: [true],
      madeBy: ['urn:li:user:a'],
    });
  });

  test('given the time of writing, then fields for it have it when they have a value', async () => {
    const aspect = await thingInfo(
      '@Searchable = {"includeSystemModifiedAt": true, "systemModifiedAtFieldName": "at"} x: optional string',
    );
    const timesOf = (value: JsonObject) =>
      extractSearchValues(aspect, value, 7).flatMap(({ field, values }) =>
        field.name === 'at' ? values : [],
      );

    expect(timesOf({ x: 'a' })).toEqual([7]);
    expect(timesOf({})).toEqual([]);
  });

  test('given rich text, then only visible text is searched', async () => {
    const aspect = await thingInfo('@Searchable = {"sanitizeRichText": true} x: string');

    expect(
      valuesOf(aspect, {
        x: '<p class="a">Orders &amp; <b>lines</b></p>![](data:image/png;base64,AAAA) array<struct>',
      }),
    ).toEqual({ x: ['Orders & lines ![]( ) array<struct>'] });
  });

  test('given a key that every object inherits, then it has no value', async () => {
    expect(valuesOf(await thingInfo('@Searchable = {} constructor: optional string'), {})).toEqual({});
  });
});
