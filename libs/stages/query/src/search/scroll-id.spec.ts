import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatScrollId, parseScrollId, hashQuery } from './scroll-id';

describe('a scroll id', () => {
  it('parses back to the same cursor', () => {
    const id = fc.record({
      queryDigest: fc.string(),
      expiresMs: fc.nat(),
      place: fc.record({
        keys: fc.array(fc.option(fc.stringMatching(/^[^\0]*$/))),
        urn: fc.stringMatching(/^[^\0]*$/),
      }),
    });
    fc.assert(
      fc.property(id, (given) => {
        expect(parseScrollId(formatScrollId(given))).toEqual(given);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'eHg'],
    ['another JSON', Buffer.from('[1]').toString('base64url')],
    ['another version', written({ v: 2 })],
    ['a place without urn', written({ u: null })],
    ['keys that are none', written({ k: [1] })],
    ['no keys', written({ k: 'x' })],
    ['a NUL in the urn', written({ u: 'a\u0000' })],
    ['a NUL in a key', written({ k: ['a\u0000'] })],
    ['no time', written({ x: 'soon' })],
    ['lists in lists in lists', Buffer.from('['.repeat(100_000)).toString('base64url')],
  ])('is rejected with %s', (_name, text) => {
    expect(parseScrollId(text)).toBeUndefined();
  });

  it('distinguishes queries', () => {
    expect(hashQuery({ a: 1 })).toBe(hashQuery({ a: 1 }));
    expect(hashQuery({ a: 1 })).not.toBe(hashQuery({ a: 2 }));
  });
});

function written(members: object): string {
  const whole = { v: 1, q: 'q', x: 1, k: [], u: 'urn:li:tag:a', ...members };
  return Buffer.from(JSON.stringify(whole)).toString('base64url');
}
