import anyAscii from 'any-ascii';

const ASCII_ONLY = /^[\x00-\x7f]*$/; // eslint-disable-line no-control-regex -- the range is the meaning of ASCII

/** Variants of a letter or sign that people type as another. */
const VARIANTS: Readonly<Record<string, string>> = { ς: 'σ', '’': "'" };
/**
 * The variants, and the blocks that have all Latin letters beyond ASCII, by units of UTF-16: a search for `\p{Script=Latin}` takes
 * several times as long.
 */
const FOLDABLE =
  /[ς’\xaa-\u02ff\u1d00-\u1eff\u2070-\u209f\u2100-\u218f\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f\ufb00-\ufb06\uff21-\uff5a]|[\ud801\ud837][\udc00-\udfff]/g;
const MARKS_OF_LATIN = /([A-Za-z])\p{M}+/gu;
/** Characters beside a letter that tell whether it is among capitals. */
const BESIDE = 8;

/** What each foldable character that was seen folds to; there are a few thousand. */
const folded = new Map<string, string>();

export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

/**
 * Removes differences between spellings: compatibility forms (NFKC), accents on Latin letters, Latin letters beyond ASCII,
 * invisible format characters. Letter case stays, because it still marks the boundary in `customerOrders`.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .normalize('NFD')
    .replace(FOLDABLE, foldCharacter)
    .replace(MARKS_OF_LATIN, '$1')
    .normalize('NFC');
}

function foldCharacter(character: string, at: number, text: string): string {
  let letters = folded.get(character);
  if (letters === undefined) {
    letters = foldAlone(character);
    folded.set(character, letters);
  }
  if (letters.length === 1 || !/^[A-Z]/.test(letters)) return letters;
  return isAmongCapitals(text, at, at + character.length) ? letters.toUpperCase() : letters;
}

/** A letter that the table writes with digits or signs alone, such as a click, stays. */
function foldAlone(character: string): string {
  const variant = VARIANTS[character];
  if (variant !== undefined) return variant;
  const letters = /\p{Script=Latin}/u.test(character)
    ? anyAscii(character)
        .replace(/[^A-Za-z]+/g, '')
        .toLowerCase()
    : '';
  if (letters === '') return character;
  return /\p{Lu}/u.test(character) ? letters.charAt(0).toUpperCase() + letters.slice(1) : letters;
}

/** `ÆGIR` is `AEGIR` and `Ægir` is `Aegir`: in another case the word would fall into parts. */
function isAmongCapitals(text: string, start: number, end: number): boolean {
  const [, next] = /^\p{M}*(\p{L})/u.exec(text.slice(end, end + BESIDE)) ?? [];
  return next === undefined
    ? /\p{Lu}\p{M}*$/u.test(text.slice(Math.max(0, start - BESIDE), start))
    : /\p{Lu}/u.test(next);
}

/** Removes half a surrogate pair at the end of a text that was cut. */
export function wholeStart(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
