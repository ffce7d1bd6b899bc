import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bytesOfJson, textOfBytes } from './text-of-bytes';

describe('textOfBytes', () => {
  it.each([
    ['plain text', 'abc', 'abc'],
    ['the bytes of an em dash', 'a \u00e2\u0080\u0094 b', 'a — b'],
    ['an em dash itself', 'a — b', 'a — b'],
    ['Latin letters that are no UTF-8', 'café', 'café'],
    ['bytes next to an em dash', '\u00c3\u00a9 —', '\u00c3\u00a9 —'],
  ])('reads %s', (_name, member, text) => {
    expect(textOfBytes(member)).toBe(text);
  });

  it('reads the bytes of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(textOfBytes(Buffer.from(text, 'utf8').toString('latin1'))).toBe(text);
      }),
    );
  });

  it('leaves text with a character beyond bytes unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(textOfBytes(`${text}日`)).toBe(`${text}日`);
      }),
    );
  });
});

describe('bytesOfJson', () => {
  it('writes the same JSON in ASCII', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const bytes = bytesOfJson(JSON.stringify(value));
        expect(bytes).toMatch(/^[\x20-\x7f]*$/);
        expect(JSON.parse(bytes)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
