import type { PlacedToken } from '@stratalog/domain';
import { LRUCache } from 'lru-cache';
import { foldText, isAscii } from './fold-text';
import { stemWord } from './stem-word';
import { plainToken } from './token';
import { indexedForms, wordForms, type WordForms } from './word-forms';
import { hasSpacelessScript, wordParts } from './word-parts';

/**
 * Words that are written as one, like `customer_orders`, `customerOrders` or `real-time`: runs of letters, marks and
 * digits, connected only by underscores, hyphens or apostrophes. Any other character ends a compound.
 */
export interface Compound {
  /** Plain token of each position. */
  readonly places: readonly string[];
  /** The parts written together, when there are several and they make one word. */
  readonly joined: WordForms | undefined;
  /**
   * All tokens to index, by position from 0: plain forms, different stems, and joined forms at the position of their
   * first part.
   */
  readonly tokens: readonly PlacedToken[];
}

const UNICODE_COMPOUND = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[_'-]+[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const ASCII_WORD = /[A-Za-z0-9]+/g;
const UNICODE_WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const POSSESSIVE = /'[sS]$/;

/** Longest joined form. Users do not type joined forms of longer compounds, which are mostly generated keys. */
const MAX_JOINED_LENGTH = 100;
/** The usual words of a catalog; each takes about half a kilobyte. */
const MAX_CACHED = 20_000;
const MAX_CACHED_LENGTH = 64;

// A cache without effect on results: names repeat within a catalog, and splitting and stemming are most of the work.
const cache = new LRUCache<string, Compound>({ max: MAX_CACHED });

/** Longest analyzed text, from any source; it bounds the time and memory of one analysis. */
export const MAX_ANALYZED_LENGTH = 256 * 1024;

/** Splits a text into its compounds, in order; only the first `most`, so a caller with a limit does not pay for the rest. */
export function findCompounds(text: string, most = Infinity): readonly Compound[] {
  const folded = foldText(text.slice(0, MAX_ANALYZED_LENGTH));
  if (isAscii(folded)) return findAsciiCompounds(folded, most);
  const compounds: Compound[] = [];
  for (const [written] of folded.matchAll(UNICODE_COMPOUND)) {
    if (compounds.length >= most) break;
    compounds.push(findCompound(written));
  }
  return compounds;
}

const LETTER_OR_DIGIT = 1;
const CONNECTOR = 2;
const SIGNS = new Uint8Array(128).map((_, code) => {
  const sign = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(sign) ? LETTER_OR_DIGIT : /[_'-]/.test(sign) ? CONNECTOR : 0;
});

/** Does what a pattern like {@link UNICODE_COMPOUND} would do; it runs for every text, and takes a third of the time. */
function findAsciiCompounds(text: string, most: number): readonly Compound[] {
  const compounds: Compound[] = [];
  let start = -1;
  let end = 0;
  for (let at = 0; at <= text.length; at++) {
    const sign = at === text.length ? 0 : SIGNS[text.charCodeAt(at)];
    if (sign === LETTER_OR_DIGIT) {
      if (start < 0) start = at;
      end = at + 1;
    } else if (sign !== CONNECTOR && start >= 0) {
      if (compounds.length >= most) break;
      compounds.push(findCompound(text.slice(start, end)));
      start = -1;
    }
  }
  return compounds;
}

function findCompound(written: string): Compound {
  const known = cache.get(written);
  if (known !== undefined) return known;
  const compound = analyzeCompound(written);
  if (written.length <= MAX_CACHED_LENGTH) cache.set(written, compound);
  return compound;
}

function analyzeCompound(written: string): Compound {
  const words = written.replace(POSSESSIVE, '').match(isAscii(written) ? ASCII_WORD : UNICODE_WORD) ?? [];
  const partsOfWords = words.map(wordParts);
  const joined =
    words.length > 1 || partsOfWords[0]?.length !== 1 ? joinedForms(partsOfWords.flat()) : undefined;
  const places: string[] = [];
  const tokens: PlacedToken[] = [];
  const place = (forms: WordForms | undefined, position: number) => {
    if (forms !== undefined) tokens.push(...indexedForms(forms).map((token) => ({ token, position })));
  };
  place(joined, 0);
  for (const parts of partsOfWords) {
    if (words.length > 1 && parts.length > 1) place(joinedForms(parts), places.length);
    for (const part of parts) {
      const forms = wordForms(plainToken(part));
      place(forms, places.length);
      places.push(forms.plain);
    }
  }
  return { places, joined, tokens };
}

/** The stem of a joined form uses the stem of its last part: stems of parts repeat, so the cache has them. */
function joinedForms(parts: readonly string[]): WordForms | undefined {
  const together = parts.join('');
  if (together.length > MAX_JOINED_LENGTH || hasSpacelessScript(together)) return undefined;
  const plain = plainToken(together);
  const last = plainToken(parts.at(-1) ?? '');
  if (!isAscii(together)) return { plain, stem: plain };
  return { plain, stem: plain.slice(0, plain.length - last.length) + stemWord(last) };
}
