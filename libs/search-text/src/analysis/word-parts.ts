import { isAscii } from './fold-text';

/** Longer runs are hashes, keys or base64, where a change of case means nothing. */
const MAX_SPLIT_LENGTH = 100;

/** A capital run with a plural s (`URLs`), a capital run that ends before a capitalised word, a word, a number. */
const ASCII_PART = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/**
 * Scripts without blanks between words, or with endings attached to the word: each character is a part of its own.
 */
const SPACELESS = [
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Bopomofo',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Yi',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const SPACELESS_CHARACTER = new RegExp(`(?!\\p{M})[${SPACELESS}]`, 'u');
const UNICODE_PART = new RegExp(
  [
    `(?!\\p{M})[${SPACELESS}]\\p{M}*`,
    `(?:\\p{Lu}\\p{M}*)+(?![\\p{Ll}\\p{M}])`,
    `(?:\\p{Lu}\\p{M}*)?(?:(?![${SPACELESS}])[\\p{Ll}\\p{Lt}\\p{Lm}\\p{Lo}]\\p{M}*)+`,
    `(?:(?![${SPACELESS}])\\p{N}\\p{M}*)+`,
  ].join('|'),
  'gu',
);

/** True when the word contains characters that are words by themselves, so a joined form is meaningless. */
export function hasSpacelessScript(word: string): boolean {
  return !isAscii(word) && SPACELESS_CHARACTER.test(word);
}

/**
 * Splits a run of letters, marks and digits at visible boundaries: `customerOrders` at its capital, `HTTPServer`
 * before the last capital of a run, `orders2024` between letters and digits. A single letter stays with its
 * neighbouring digits (`v2`, `s3`, `2d`), because alone it has no meaning.
 *
 * **Order and repeats**: the parts in order; joined they are the word.
 */
export function wordParts(word: string): readonly string[] {
  if (isAscii(word)) return word.length > MAX_SPLIT_LENGTH ? [word] : mergeSingles(word.match(ASCII_PART));
  if (word.length <= MAX_SPLIT_LENGTH) return mergeSingles(word.match(UNICODE_PART));
  return hasSpacelessScript(word) ? (word.match(UNICODE_PART) ?? []) : [word];
}

function mergeSingles(parts: readonly string[] | null): readonly string[] {
  const merged: string[] = [];
  for (const part of parts ?? []) {
    const before = merged.at(-1);
    if (before !== undefined && belongTogether(before, part)) merged[merged.length - 1] = before + part;
    else merged.push(part);
  }
  return merged;
}

function belongTogether(before: string, part: string): boolean {
  const letterThenDigit = /(?:^|[0-9])[A-Za-z]$/.test(before) && /^[0-9]/.test(part);
  const digitThenLetter = /[0-9]$/.test(before) && /^[A-Za-z]$/.test(part);
  return letterThenDigit || digitThenLetter;
}
