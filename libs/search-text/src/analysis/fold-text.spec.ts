import { describe, expect, it } from '@jest/globals';
import anyAscii from 'any-ascii';
import { foldText } from './fold-text';

describe('folding', () => {
  it.each([
    ['Café', 'Cafe'],
    ['Straße', 'Strasse'],
    ['STRAẞE', 'STRASSE'],
    ['ħ ŋ ŧ ə ɓ', 'h ng t e b'],
    ['Ħ Ŋ Ŧ Ə Ɓ', 'H Ng T E B'],
    ['Ægir ÆGIR SÆ Æ', 'Aegir AEGIR SAE Ae'],
    ['ǢGIR Ǣgir ÉÆ', 'AEGIR Aegir EAE'],
    ['Łódź đông ıslak', 'Lodz dong islak'],
    // A letter beyond ASCII loses its accent too.
    ['ǿre Ǿre ǽ', 'ore Ore ae'],
    ['ﬁne Ｆｕｌｌ ªº Ⅳ', 'fine Full ao IV'],
    ['hausa_ɓera', 'hausa_bera'],
    ['Əliyev', 'Eliyev'],
    ['Ꝃ Ꞵ', 'K B'],
  ])('writes %s as %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('keeps letters of other scripts, and Latin signs that no letter stands for', () => {
    expect(foldText('Привет Ελλάδα 顧客 ภาษา ʔ Ƨ')).toBe('Привет Ελλάδα 顧客 ภาษา ʔ Ƨ');
  });

  it('leaves no Latin letter beyond ASCII but signs, and letters that have a sign beside them', () => {
    const letters = Array.from({ length: 0x250 - 0xc0 }, (_, at) => String.fromCodePoint(0xc0 + at));
    const kept = letters.filter(
      (letter) => /\p{L}/u.test(letter) && !/^[\x20-\x7e]+$/.test(foldText(letter)),
    );
    expect(kept.join(' ')).toBe('Ŀ ŀ ŉ Ƅ ƅ Ƨ ƨ Ƹ ƹ Ƽ ƽ Ɂ ɂ');
  });

  it('folds every letter of the script for which the table has letters', () => {
    const latin = Array.from({ length: 0x20000 - 0x80 }, (_, at) => 0x80 + at)
      .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
      .map((codePoint) => String.fromCodePoint(codePoint))
      .filter((character) => /\p{Script=Latin}/u.test(character));
    expect(latin.length).toBeGreaterThan(1_400);
    const missed = latin.filter(
      (letter) => /[a-z]/i.test(anyAscii(letter)) && !/[a-z]/i.test(foldText(letter)),
    );
    expect(missed).toEqual([]);
  });
});
