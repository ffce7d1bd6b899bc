import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, type JsonValue } from '@stratalog/json';
import { prettyJson } from './pretty-json';

describe('JSON for people', () => {
  it('looks as usual', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(prettyJson(value as JsonValue)).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('is the same value, without control characters', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(JSON.parse(prettyJson(value as JsonValue))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const controls = { 'a\u009b': '\u001b[2J \u007f \u0085 \u009f \u202e \u2066 \u200f \u061c \u2028 é 日' };
    const text = prettyJson(controls);
    expect(text).toBe(
      '{\n  "a\\u009b": "\\u001b[2J \\u007f \\u0085 \\u009f \\u202e \\u2066 \\u200f \\u061c \\u2028 é 日"\n}',
    );
    expect(JSON.parse(text)).toEqual(controls);
  });

  it('keeps long integers digit by digit', () => {
    expect(prettyJson(parseJson('{"a":[9223372036854775807]}'))).toBe(
      '{\n  "a": [\n    9223372036854775807\n  ]\n}',
    );
  });
});
