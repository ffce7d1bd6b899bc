import type { JsonObject } from '@stratalog/json';
import { describe, expect, test } from '@jest/globals';
import { thingInfo, extractSearchValues, valuesOf } from '../testing/thing-info';

describe('extractSearchValues', () => {
  test('gives a value of any type the form that its field is filtered by', async () => {
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

  test('reads the values of records in arrays in order, without empty texts', async () => {
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

  test('fills companion fields with presence and counts', async () => {
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

  test('takes the defaults of absent fields', async () => {
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

  test('fills fields for the time of writing when they have a value', async () => {
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

  test('takes the visible text of rich text only', async () => {
    const aspect = await thingInfo('@Searchable = {"sanitizeRichText": true} x: string');

    expect(
      valuesOf(aspect, {
        x: '<p class="a">Orders &amp; <b>lines</b></p>![](data:image/png;base64,AAAA) array<struct>',
      }),
    ).toEqual({ x: ['Orders & lines ![]( ) array<struct>'] });
  });

  test('finds no value under a key that every object inherits', async () => {
    expect(valuesOf(await thingInfo('@Searchable = {} constructor: optional string'), {})).toEqual({});
  });
});
