import { describe, expect, it } from '@jest/globals';
import { findPlace, layOut } from './json-text';

const TEXT = `{
  "on": { "types": ["dataset", "chart"] },
  "rules": {
    "and": [
      { "property": "a.\\"b", "operator": "exists" },
      { "a/b~c": -1.5 }
    ]
  }
}`;

describe('findPlace', () => {
  it.each([
    ['/on/types/1', '"chart"', 2],
    ['/rules/and/0/property', '"a.\\"b"', 5],
    ['/rules/and/1/a~1b~0c', '-1.5', 6],
    ['/rules/and/1', '{ "a/b~c": -1.5 }', 6],
  ])('finds the value at %s', (path, value, line) => {
    const place = findPlace(TEXT, { path, reason: 'is odd' });
    expect([TEXT.slice(place.start, place.end), place.line]).toEqual([value, line]);
  });

  it('finds what a missing value would be in', () => {
    expect(findPlace(TEXT, { path: '/rules/and/0/value', reason: 'is missing' }).line).toBe(5);
    expect(findPlace('', { path: '/on', reason: 'is missing' })).toEqual({ start: 0, end: 0, line: 1 });
  });

  it('finds where a text is no JSON', () => {
    const reason = 'is not JSON: Unexpected end at position 6';
    expect(findPlace('{\n\n"on', { path: '', reason })).toEqual({ start: 6, end: 7, line: 3 });
  });
});

describe('layOut', () => {
  it('puts members on lines, and changes no value', () => {
    const text = '{"on":{"types":["a,{b"]},"rules":[],"n":12345678901234567890.10}';
    expect(layOut(text)).toBe(`{
  "on": {
    "types": [
      "a,{b"
    ]
  },
  "rules": [],
  "n": 12345678901234567890.10
}`);
  });

  it('leaves a text with lines as it is', () => {
    expect(layOut(TEXT)).toBe(TEXT);
  });
});
