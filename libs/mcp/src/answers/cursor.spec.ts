import { describe, expect, it, test } from '@jest/globals';
import { makeCursor, readCursor } from './cursor';

const CALL = { tool: 'search', given: { query: 'a', count: 3 } };
const encode = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

describe('a cursor', () => {
  test.each([{ skip: 0 }, { skip: 17 }, { skip: 3, page: 'urn:li:tag:ä' }])('holds the place %j', (place) => {
    expect(readCursor(CALL, makeCursor(CALL, place))).toEqual(place);
  });

  it('fits the same arguments in another order, and with nulls', () => {
    const same = { tool: 'search', given: { count: 3, types: null, query: 'a' } };
    expect(readCursor(same, makeCursor(CALL, { skip: 5 }))).toEqual({ skip: 5 });
  });

  it('begins at the beginning when there is none', () => {
    expect(readCursor(CALL, undefined)).toEqual({ skip: 0 });
  });

  const [digest] = JSON.parse(
    Buffer.from(makeCursor(CALL, { skip: 0 }), 'base64url').toString(),
  ) as readonly string[];
  test.each([
    ['of other arguments', makeCursor({ ...CALL, given: { query: 'b' } }, { skip: 1 })],
    ['of another tool', makeCursor({ ...CALL, tool: 'get_entity' }, { skip: 1 })],
    ['a number', 7],
    ['no base64', '…'],
    ['no list', encode({ skip: 1 })],
    ['a negative place', encode([digest, -1])],
    ['a broken place', encode([digest, 1.5])],
    ['a page that is no text', encode([digest, 1, {}])],
  ])('is rejected: %s', (_what, cursor) => {
    expect(() => readCursor(CALL, cursor)).toThrow("Argument parameter 'cursor' is invalid");
  });
});
