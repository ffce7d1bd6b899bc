const ASCII_ONLY = /^[\x00-\x7f]*$/; // eslint-disable-line no-control-regex -- the range is the meaning of ASCII

/** Latin letters without a separable accent, and variants of a letter or sign that people type as another. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  ς: 'σ',
  '’': "'",
};
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'gu');

export function isAscii(text: string): boolean {
  return ASCII_ONLY.test(text);
}

/**
 * Removes differences between spellings: compatibility forms (NFKC), accents on Latin letters, invisible format
 * characters. Letter case stays, because it still marks the boundary in `customerOrders`.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .normalize('NFD')
    .replace(/([A-Za-z])\p{M}+/gu, '$1')
    .replace(FOLDABLE, (character) => FOLDED[character] ?? character)
    .normalize('NFC');
}

/** Removes half a surrogate pair at the end of a text that was cut. */
export function wholeStart(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
