import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson, type JsonValue } from '@stratalog/model';
import { prettyJson } from './pretty-json';

describe('JSON for people', () => {
  it('looks as usual', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(prettyJson(value as JsonValue)).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('keeps long integers digit by digit', () => {
    expect(prettyJson(parseJson('{"a":[9223372036854775807]}'))).toBe(
      '{\n  "a": [\n    9223372036854775807\n  ]\n}',
    );
  });
});
