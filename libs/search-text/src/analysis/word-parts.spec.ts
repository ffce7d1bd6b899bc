import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldText } from './fold-text';
import { wordParts } from './word-parts';

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

test('property: the joined parts of a word are the word', () => {
  const mixed = fc.array(
    fc.oneof(
      fc.constantFrom('A', 'b', '1', 'Б', 'в', '日', 'ー', 'ก', '한', '\u0301', 'ǅ'),
      fc.string({ unit: 'binary', maxLength: 2 }),
    ),
    { maxLength: 150 },
  );
  fc.assert(
    fc.property(mixed, (characters) => {
      for (const word of foldText(characters.join('')).match(WORD) ?? []) {
        expect(wordParts(word).join('')).toBe(word);
      }
    }),
  );
});

test('a long run without blanks is one part, unless each of its characters is a word', () => {
  expect(wordParts('aB1'.repeat(100))).toHaveLength(1);
  expect(wordParts('日'.repeat(300))).toHaveLength(300);
});
