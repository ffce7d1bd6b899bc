import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RawJson, isJsonObject, parseJson, stringifyJson } from './json';

describe('parseJson and stringifyJson', () => {
  it('keep integers beyond 2^53 digit by digit', () => {
    const text = '{"big":9223372036854775807,"small":7,"list":[-9223372036854775808]}';
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  it('keep any integer', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (integer) => {
        expect(stringifyJson(parseJson(`[${integer.toString()}]`))).toBe(`[${integer.toString()}]`);
      }),
    );
  });

  it('read numbers that a double holds as numbers', () => {
    expect(parseJson('[1,-0.5,1e3,9007199254740991,1.000000000000000055]')).toEqual([
      1, -0.5, 1_000, 9_007_199_254_740_991, 1,
    ]);
    expect(parseJson('[9007199254740993]')).toEqual([9_007_199_254_740_993n]);
  });

  it('treat other values as JSON does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(stringifyJson(parseJson(text))).toBe(text);
        // A long integer in the text selects the lossless parser.
        const neighbours = `[${text},12345678901234567890]`;
        expect(stringifyJson(parseJson(neighbours))).toBe(neighbours);
      }),
    );
  });

  it('embed raw text and omit undefined members', () => {
    expect(stringifyJson({ a: new RawJson('{"x":1}'), b: undefined, c: [null, true] })).toBe(
      '{"a":{"x":1},"c":[null,true]}',
    );
  });

  it.each([
    '',
    '{',
    '{"a":1}x',
    "{'a':1}",
    '[12345678901234567890',
    '[1,]',
    '[12345678901234567890,]',
    'NaN',
  ])('reject %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe('isJsonObject', () => {
  it('distinguishes objects from lists and other values', () => {
    expect([{}, [], null, 'x', 1, undefined].map(isJsonObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
