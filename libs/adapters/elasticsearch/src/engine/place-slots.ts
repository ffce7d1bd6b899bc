import type { PlacedToken } from '@stratalog/model';
import { MAX_TOKEN_LENGTH } from '@stratalog/search-text';

/**
 * How tokens and their places are written as text that the engine splits at blanks and numbers one by one.
 *
 * A place may hold several words: `dim_sale` is `dim` and `dimsale` at one place, `sale` at the next. No analyzer that every engine has
 * can put two words at one position. So each place becomes three positions in a row, its slots: the plain word stands in the first, the
 * joined ones, marked with a `J` that tells which slot a match began in, in the others. A slot without word is written as `Z`, which the
 * analyzer drops while it counts on.
 * Stems are left out: a phrase never asks for one.
 */
const SLOTS = 3;
const JOINED = 'J';

/** Stands for a slot without word; no token is just this letter. */
export const EMPTY_SLOT = 'Z';

/** So many words of a phrase may stand for joined ones at once. */
const MAX_JOINED = 3;

/** The text of a field's tokens; between values lies an empty place. */
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
    if (token.startsWith('S')) continue;
    const words = places.get(position);
    if (words === undefined) places.set(position, [token]);
    else words.push(token);
  }
  return places;
}

/**
 * The texts that a phrase of two words or more may stand as: any of them is a match.
 *
 * A joined word is followed, at the next place, by what it was joined from. So only the last word of a phrase can be a joined one,
 * unless a word holds the next: `"dimsale sale"`. Beyond three such words in one phrase, only the last three are taken for joined.
 */
export function phraseTexts(tokens: readonly string[], encode: (token: string) => string): readonly string[] {
  const mayBeJoined = tokens
    .map((token, at) => ({ at, next: tokens[at + 1], token }))
    .filter(({ token, next }) => next === undefined || mayHold(token, next))
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

/** True unless `word`, taken for a joined one, cannot have been joined from a first part and `next`. */
function mayHold(word: string, next: string): boolean {
  // It may be the beginning and the hash of a longer one, in which nothing can be looked for.
  if (word.length >= MAX_TOKEN_LENGTH) return true;
  return Buffer.from(writtenOf(word)).includes(writtenOf(next), 1);
}

/** The UTF-8 of the word that a token was made of. */
function writtenOf(token: string): Buffer {
  return token.startsWith('X') ? Buffer.from(token.slice(1), 'hex') : Buffer.from(token);
}
