import { expect, test } from '@jest/globals';
import { stringifyJson, type JsonObject } from '@stratalog/json';
import { projectTimeseriesValue } from './timeseries-entry';
import type { TimeseriesField } from './timeseries-field';

const value = (path: string, kind: TimeseriesField['kind'], fallback?: string): TimeseriesField => ({
  source: 'value',
  path: path.split('.'),
  kind,
  ...(fallback === undefined ? {} : { fallback }),
});
const FIELDS: readonly TimeseriesField[] = [
  value('text', 'text'),
  value('number', 'number'),
  value('number', 'number', '7'),
  value('flag', 'boolean'),
  value('part.name', 'text', 'B'),
  value('list', 'json'),
  { source: 'element', path: ['users', 'user'], kind: 'text' },
  { source: 'element', path: ['users', 'count'], kind: 'number' },
  { source: 'element', path: ['tags'], kind: 'text' },
];

function project(members: JsonObject) {
  const ref = { urn: 'urn:li:dataset:x', aspectName: 'operation', timestampMs: 5, valueKey: 'k', seq: 3 };
  return projectTimeseriesValue(FIELDS, { ...ref, value: stringifyJson(members) });
}

test('the entry of a value has its fields, those of its elements, and the defaults of absent ones', () => {
  const entry = project({
    text: 'a',
    number: 2.5,
    flag: false,
    users: [{ user: 'ann', count: 3 }, { user: 'bob' }, {}, null],
    tags: ['x', 'x'],
  });
  expect(entry).toEqual({
    urn: 'urn:li:dataset:x',
    aspectName: 'operation',
    timestampMs: 5,
    valueKey: 'k',
    seq: 3,
    fields: {
      'text:text': 'a',
      'number:number': 2.5,
      'number:number=': 2.5,
      'boolean:flag': 'false',
      'text:part/name=': 'B',
    },
    elements: [
      { 'text:users/user': 'ann', 'number:users/count': 3 },
      { 'text:users/user': 'bob' },
      { 'text:tags': 'x' },
      { 'text:tags': 'x' },
    ],
    inexact: [],
  });
  expect(project({ number: null }).fields).toEqual({ 'number:number=': 7, 'text:part/name=': 'B' });
});

test('the text of lists and objects is that of jsonb', () => {
  const { fields } = project({ list: [{ bb: 1, a: 'x\u0000', b: [] }, 'ü', null, true] });
  expect(fields['json:list']).toBe('[{"a": "x\ufffd", "b": [], "bb": 1}, "ü", null, true]');
});

test.each<[string, JsonObject, string]>([
  ['a number beyond those of engines', { number: 9_223_372_036_854_775_807n }, 'number:number'],
  ['a number that is written with an exponent', { number: 1e-9 }, 'number:number'],
  ['a text that is too long for a term', { text: 'ü'.repeat(15_001) }, 'text:text'],
  ['a value of another kind', { text: 5 }, 'text:text'],
  ['a large number in a list', { list: [1e300] }, 'json:list'],
])('given %s, then its field is named as inexact', (_what, members, key) => {
  const entry = project(members);
  expect(entry.inexact).toContain(key);
  expect(entry.fields).not.toHaveProperty([key]);
});

test.each<[string, JsonObject]>([
  ['more elements than engines take', { tags: Array.from({ length: 5_001 }, () => 'x') }],
  ['too many bytes', { tags: Array.from({ length: 100 }, () => 'x'.repeat(20_000)) }],
])('given a value with %s, then every field is inexact', (_what, members) => {
  expect(project({ text: 'a', ...members })).toMatchObject({ fields: {}, elements: [] });
  expect(project(members).inexact).toHaveLength(FIELDS.length);
});
