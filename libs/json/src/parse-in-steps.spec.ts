import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringifyJson, type JsonValue } from './json';
import {
  LARGE_JSON_LENGTH,
  MAX_JSON_VALUES,
  MAX_OBJECT_MEMBERS,
  parseUntrustedInSteps,
} from './parse-in-steps';
import { parseUntrustedJson } from './parse-untrusted-json';
import { allSteps } from './steps';

/** A low limit makes piece ends fall on every position of the text. */
const inPieces = (text: string, length: number): JsonValue =>
  allSteps(parseUntrustedInSteps(text, { largeLength: length })).value;
const toOutcome = (read: () => JsonValue): string => {
  try {
    return stringifyJson(read());
  } catch (error) {
    return (error as Error).name;
  }
};

const LENGTH = fc.integer({ min: 1, max: 40 });
const indented = (value: unknown) => JSON.stringify(value, undefined, 1);

describe('parseUntrustedInSteps', () => {
  it('parses like the parser, wherever the pieces end', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), LENGTH, fc.boolean(), (value, length, isIndented) => {
        const text = isIndented ? indented([value]) : JSON.stringify([value]);
        // Both reject a member called __proto__.
        expect(toOutcome(() => inPieces(text, length))).toBe(toOutcome(() => parseUntrustedJson(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('rejects the texts that the parser rejects', () => {
    const change = fc.record({
      at: fc.nat(),
      by: fc.constantFrom('', ',', ':', '{', '}', '[', ']', '"', '\\', '1', ' '),
    });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), LENGTH, change, (value, length, { at, by }) => {
        const text = JSON.stringify([value, value]);
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + by + text.slice(place + (by === '' ? 1 : 0));
        expect([changed, toOutcome(() => inPieces(changed, length))]).toEqual([
          changed,
          toOutcome(() => parseUntrustedJson(changed)),
        ]);
      }),
      { numRuns: 5_000 },
    );
  });

  const filler = '"'.concat('x'.repeat(LARGE_JSON_LENGTH), '"');
  it.each([
    ['nothing behind a comma', `[${filler},]`],
    ['nothing before a comma', `[,${filler}]`],
    ['nothing between commas', `[1, ,${filler}]`],
    ['two values without a comma', `[${filler} 1]`],
    ['another bracket at its end', `[${filler}}`],
    ['no end', `[${filler}`],
    ['something behind its end', `[${filler}]]`],
    ['a string without end', filler.slice(0, -1)],
    ['half an escape', `"${'x'.repeat(LARGE_JSON_LENGTH)}\\u12"`],
    ['a member without name', `{${filler}}`],
    ['a number of absurd length', `[${'1'.repeat(LARGE_JSON_LENGTH + 1)}]`],
    ['a member __proto__', `{"__proto__":${filler}}`],
    ['a member twice, one of them large', `{"a":${filler},"a":1}`],
    ['a member twice, written in two ways', `{"a":1,"z":${filler},"\\u0061":1}`],
    ['nested deeper than 200 levels', `{"a":[${filler},${'['.repeat(199)}${']'.repeat(199)}]}`],
  ])('rejects a large text with %s', (_, text) => {
    expect(() => allSteps(parseUntrustedInSteps(text))).toThrow(SyntaxError);
  });

  it('reports the large objects and lists of a text', () => {
    const text = `{"small":{"a":[1]},"large":{"list":[${filler}],"b":2}}`;
    const { value, large } = allSteps(parseUntrustedInSteps(text));
    const { large: outer } = value as { readonly large: { readonly list: JsonValue } };
    expect([...large]).toEqual([value, outer, outer.list]);
    expect(value).toEqual(JSON.parse(text));
  });

  it('keeps the digits of integers, and surrogate pairs across piece ends', () => {
    const text = `["${'\u{1f600}'.repeat(200_000)}","${'\\ud83d\\ude00'.repeat(50_000)}",1234567890123456789]`;
    const [raw, escaped, integer] = inPieces(text, LARGE_JSON_LENGTH) as JsonValue[];
    expect(raw).toBe('\u{1f600}'.repeat(200_000));
    expect(escaped).toBe('\u{1f600}'.repeat(50_000));
    expect(integer).toBe(1234567890123456789n);
  });

  it('bounds the number of values and members, and names the path', () => {
    const toRejection = (text: string): string => {
      try {
        allSteps(parseUntrustedInSteps(text));
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const members = Array.from({ length: MAX_OBJECT_MEMBERS + 1 }, (_, at) => `"k${String(at)}":1`).join();
    expect(toRejection(`{"a":[0,{${members}}]}`)).toBe(
      `/a/1 has more than ${String(MAX_OBJECT_MEMBERS)} members`,
    );
    expect(toRejection(`{"z":[${'{},'.repeat(MAX_JSON_VALUES / 2)}0]}`)).toBe(
      `it has more than ${String(MAX_JSON_VALUES)} values, the last of them in /z`,
    );
    expect(toRejection(`${'['.repeat(40)}${filler}${']'.repeat(40)}`)).toContain(
      'nested deeper than 32 levels',
    );
  });

  it('takes no long step', () => {
    const steps = parseUntrustedInSteps(
      `{"z":[${'{"a":1},'.repeat(200_000)}"${'\\u0041'.repeat(500_000)}"]}`,
    );
    let count = 0;
    while (steps.next().done !== true) count++;
    expect(count).toBeGreaterThan(20);
  });
});
