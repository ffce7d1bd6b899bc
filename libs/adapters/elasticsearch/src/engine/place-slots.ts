import type { PlacedToken } from '@stratalog/domain';
import { isPhraseWord, MAX_TOKEN_LENGTH } from '@stratalog/search-text';

/**
 * Number of engine positions per position of a document.
 *
 * Tokens and positions are written as text that the engine splits at blanks and numbers one by one. A position may hold
 * several words: `dim_sale` is `dim` and `dimsale` at one position, `sale` at the next. No analyzer that every engine
 * has can put two words at one position.
 *
 * So each position becomes three engine positions in a row, its slots. The plain word stands in the first. Joined words
 * stand in the others, marked with a `J`, which separates their matches from those of the first slot. A slot without a
 * word is written as `Z`, which the analyzer drops while it counts on. Stems and tokens of paths are left out, because no phrase
 * asks for one.
 */
const SLOTS = 3;
const JOINED = 'J';

/** Marks a slot without a word; no token is just this letter. */
export const EMPTY_SLOT = 'Z';

/** Maximum number of words of a phrase that may be joined ones at the same time. */
const MAX_JOINED = 3;

/** Builds the text of a field's tokens, with an empty position between values. */
export function placedText(tokens: readonly PlacedToken[], encode: (token: string) => string): string {
  const written: string[] = [];
  let last: number | undefined;
  for (const [position, words] of wordsByPlace(tokens)) {
    if (last !== undefined && position > last + 1) written.push(...emptySlots(SLOTS));
    last = position;
    const slots = words
      .slice(-SLOTS)
      .reverse()
      .map((word, slot) => encode(inSlot(word, slot)));
    written.push(...slots, ...emptySlots(SLOTS - slots.length));
  }
  return written.join(' ');
}

function wordsByPlace(tokens: readonly PlacedToken[]): ReadonlyMap<number, readonly string[]> {
  const places = new Map<number, string[]>();
  for (const { token, position } of tokens) {
    if (!isPhraseWord(token)) continue;
    const words = places.get(position);
    if (words === undefined) places.set(position, [token]);
    else words.push(token);
  }
  return places;
}

/**
 * Builds the texts that match a phrase of two words or more; any of them is a match.
 *
 * A joined word is followed, at the next position, by its last part. So only the last word of a phrase can be a joined
 * one, unless a word contains the next: `"dimsale sale"`. Beyond three such words in one phrase, only the last three
 * count as joined.
 */
export function phraseTexts(tokens: readonly string[], encode: (token: string) => string): readonly string[] {
  const mayBeJoined = tokens
    .map((token, at) => ({ at, next: tokens[at + 1], token }))
    .filter(({ token, next }) => next === undefined || mayContain(token, next))
    .map(({ at }) => at)
    .slice(-MAX_JOINED);
  let choices: readonly (readonly number[])[] = [tokens.map(() => 0)];
  for (const at of mayBeJoined) {
    choices = choices.flatMap((slots) => Array.from({ length: SLOTS }, (_, slot) => slots.with(at, slot)));
  }
  return choices.map((slots) =>
    textWith(
      tokens.map((token, at) => encode(inSlot(token, slots[at] ?? 0))),
      slots,
    ),
  );
}

function textWith(words: readonly string[], slots: readonly number[]): string {
  const written: string[] = [];
  let next: number | undefined;
  for (const [at, word] of words.entries()) {
    const position = at * SLOTS + (slots[at] ?? 0);
    if (next !== undefined) written.push(...emptySlots(position - next));
    written.push(word);
    next = position + 1;
  }
  return written.join(' ');
}

function inSlot(word: string, slot: number): string {
  return slot === 0 ? word : JOINED + word;
}

function emptySlots(count: number): readonly string[] {
  return Array<string>(count).fill(EMPTY_SLOT);
}

/** False when `word` cannot have been joined from a first part and `next`. */
function mayContain(word: string, next: string): boolean {
  // It may be the beginning and the hash of a longer word, which cannot be searched.
  if (word.length >= MAX_TOKEN_LENGTH) return true;
  return Buffer.from(decodeToken(word)).includes(decodeToken(next), 1);
}

/** Returns the UTF-8 of the word behind a token. */
function decodeToken(token: string): Buffer {
  return token.startsWith('X') ? Buffer.from(token.slice(1), 'hex') : Buffer.from(token);
}
