import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringifyJson } from './json';
import { MAX_JSON_DEPTH, parseUntrustedJson } from './parse-untrusted-json';

describe('parseUntrustedJson', () => {
  it('reads any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        fc.pre(!text.includes('"__proto__":'));
        expect(JSON.parse(stringifyJson(parseUntrustedJson(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('bounds the depth, ignoring brackets in strings', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(() => parseUntrustedJson(nested(MAX_JSON_DEPTH))).not.toThrow();
    expect(() => parseUntrustedJson(nested(MAX_JSON_DEPTH + 1))).toThrow('nested deeper');
    expect(parseUntrustedJson(`"\\"${'['.repeat(1_000)}"`)).toBe(`"${'['.repeat(1_000)}`);
  });

  it.each(['{"__proto__":1}', '{"a":[{"_\\u005fproto\\u005F_" : {}}]}', '{"\\u005f_p\\u0072oto__":1}'])(
    'rejects a poisoned member: %s',
    (text) => {
      expect(() => parseUntrustedJson(text)).toThrow('__proto__');
    },
  );

  it('accepts the name as a value and inside text', () => {
    expect(parseUntrustedJson('{"a":"__proto__","b":"{\\"__proto__\\":1}"}')).toEqual({
      a: '__proto__',
      b: '{"__proto__":1}',
    });
  });

  it.each([
    '{"a":1,"b":2,"a":1}',
    '{"x":[{"y":{"a":1}, "a":{"a":[],"\\u0061" : 0}}]}',
    '[{"a":{"a":1},"a":2}]',
  ])('rejects a duplicate member: %s', (text) => {
    expect(() => parseUntrustedJson(text)).toThrow("the member 'a' is there twice");
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":{"a":1},"c":[{"a":1},{"a":"a:"},":",{"A":1}]}',
    '{"":0,":":1,"\\"a\\":":2,"a":3}',
  ])('accepts one name in several objects: %s', (text) => {
    expect(parseUntrustedJson(text)).toEqual(JSON.parse(text));
  });

  it('rejects numbers of absurd length', () => {
    expect(() => parseUntrustedJson('9'.repeat(100_000))).toThrow('too long');
  });
});
