import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findChanged, formatScrollId, hashParameters, parseScrollId } from './scroll-id';

describe('a scroll id', () => {
  it('parses back to the same cursor', () => {
    const id = fc.record({
      digests: fc.array(fc.stringMatching(/^[\w-]{8}$/), { minLength: 1 }),
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
    ['another version', written({ v: 1 })],
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

  it('names the first parameter that changed', () => {
    const digests = hashParameters([
      ['input', '*'],
      ['filter', undefined],
      ['sort', [{ field: 'name' }]],
    ]);
    const change = (input: string, filter: string | undefined, field: string) =>
      findChanged(digests, [
        ['input', input],
        ['filter', filter],
        ['sort', [{ field }]],
      ]);
    expect([change('*', undefined, 'name'), change('a', 'b', 'c'), change('*', 'b', 'c')]).toEqual([
      undefined,
      'input',
      'filter',
    ]);
    expect(change('*', undefined, 'urn')).toBe('sort');
  });
});

function written(members: object): string {
  const whole = { v: 2, q: 'q', x: 1, k: [], u: 'urn:li:tag:a', ...members };
  return Buffer.from(JSON.stringify(whole)).toString('base64url');
}
