import { describe, expect, it } from '@jest/globals';
import { RawJson, parseJson, stringifyJson } from './json';

describe('parseJson and stringifyJson', () => {
  it('keep integers beyond 2^53 digit by digit', () => {
    const text = '{"big":9223372036854775807,"small":7,"list":[-9223372036854775808]}';
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  it('embed raw text and leave undefined members out', () => {
    expect(stringifyJson({ a: new RawJson('{"x":1}'), b: undefined, c: [null, true] })).toBe(
      '{"a":{"x":1},"c":[null,true]}',
    );
  });
});
