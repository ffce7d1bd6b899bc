import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UnreadableInputError } from './record-splitter';
import { ArraySplitter } from './split-array';

/** Splits the text cut at the given places, and reads each element. */
function read(text: string, cuts: readonly number[]): unknown[] {
  const splitter = new ArraySplitter();
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const elements: string[] = [];
  places.forEach((place, at) => elements.push(...splitter.push(text.slice(place, places[at + 1] ?? place))));
  elements.push(...splitter.end());
  return elements.map((element): unknown => JSON.parse(element));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });

describe('an array splitter', () => {
  it('yields the elements that a parser of the whole text returns, wherever the chunks end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.constantFrom(0, 1, '\t', ' \r\n'),
        cuts,
        (values, space, at) => {
          const text = JSON.stringify(values, null, space === ' \r\n' ? 2 : space);
          expect(read(text, at)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('an array splitter with the parser of the elements accepts exactly what a parser of the whole text accepts', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '"',
      '\\',
      ' ',
      '\n',
      '\u00a0',
      '1',
      'null',
      '"a"',
      '{"a":[1]}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), cuts, (pieces, at) => {
        const text = `[${pieces.join('')}`;
        const whole = parsed(text);
        if (whole === undefined) expect(() => read(text, at)).toThrow();
        else expect(read(text, at)).toEqual(whole);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['[1,2', 'cut off'],
    ['[1,,2]', 'missing'],
    ['[1,]', 'missing'],
    ['[] []', 'after the end'],
    ['{"a":1}', 'no array'],
    ['[1}', 'closes nothing'],
  ])('says what is wrong with %s', (text, reason) => {
    expect(() => read(text, [])).toThrow(UnreadableInputError);
    expect(() => read(text, [])).toThrow(reason);
  });

  it('yields the elements in front of the fault', () => {
    const splitter = new ArraySplitter();
    const found: string[] = [];
    expect(() => {
      for (const element of splitter.push('[{"a":1},{"b":2},,')) found.push(element);
    }).toThrow('a value is missing next to a comma after element 2');
    expect(found).toEqual(['{"a":1}', '{"b":2}']);
  });
});
