import type { FieldTokens, PlacedToken } from '@stratalog/domain';
import { POSITION_GAP } from './analyze-field';

/** Most tokens of a document. A token counts once in each field, wherever it is. */
export const MAX_TOKENS_PER_DOCUMENT = 8000;

/** Most tokens of a document, counting each position; a further position takes four bytes. */
const MAX_PLACED_PER_DOCUMENT = 16_000;

/** Most positions of one token within a document: Postgres stores at most 255 per word. */
export const MAX_PLACES_PER_TOKEN = 255;

/**
 * Most positions of all fields together, with the gaps between fields: Postgres does not distinguish positions from
 * 16,383 on.
 */
export const MAX_PLACES_PER_DOCUMENT = 16_000;

/** Most exact tokens of a document. */
export const MAX_EXACT_TOKENS_PER_DOCUMENT = 4000;

/**
 * Most characters of tokens, each token counted once in a field. With the limits above a document's word vector stays below the
 * megabyte that Postgres allows, even when each token is stored twice, plain and under its field's name.
 */
export const MAX_TOKEN_CHARACTERS_PER_DOCUMENT = 256 * 1024;

/**
 * Limits the tokens of a document to the capacity of every engine, so all engines find the same. It serves fields
 * with a higher boost first, then in the given order: a long description never displaces the name.
 *
 * **Order and repeats**: fields and tokens keep their order and positions; a second run changes nothing.
 */
export function boundTokens(fields: readonly FieldTokens[]): readonly FieldTokens[] {
  if (areFew(fields)) return fields;
  const budget = new Budget();
  const bounded = [...fields];
  const byBoost = fields.map((field, at) => ({ field, at })).sort((a, b) => b.field.boost - a.field.boost);
  for (const { field, at } of byBoost) {
    bounded[at] = { ...field, tokens: budget.admit(field.tokens), exact: budget.admitExact(field.exact) };
  }
  return bounded;
}

/** True for fields that surely stay within all limits, as those of most documents do. */
function areFew(fields: readonly FieldTokens[]): boolean {
  let [count, exact, characters, places] = [0, 0, 0, 0];
  for (const field of fields) {
    count += field.tokens.length;
    exact += field.exact.length;
    if (count > MAX_PLACES_PER_TOKEN || exact > MAX_EXACT_TOKENS_PER_DOCUMENT) return false;
    for (const { token } of field.tokens) characters += token.length;
    const last = field.tokens.at(-1);
    if (last !== undefined) places += last.position + POSITION_GAP;
  }
  return characters <= MAX_TOKEN_CHARACTERS_PER_DOCUMENT && places <= MAX_PLACES_PER_DOCUMENT;
}

class Budget {
  private tokensLeft = MAX_TOKENS_PER_DOCUMENT;
  private placedLeft = MAX_PLACED_PER_DOCUMENT;
  private charactersLeft = MAX_TOKEN_CHARACTERS_PER_DOCUMENT;
  private exactLeft = MAX_EXACT_TOKENS_PER_DOCUMENT;
  private placesLeft = MAX_PLACES_PER_DOCUMENT;
  private readonly placesByToken = new Map<string, number>();

  /** Returns the tokens of one field that fit the budget. */
  admit(tokens: readonly PlacedToken[]): readonly PlacedToken[] {
    const known = new Set<string>();
    const kept = tokens.filter((placed) => this.admitPlaced(placed, known));
    const last = kept.at(-1);
    if (last !== undefined) this.placesLeft -= last.position + POSITION_GAP;
    return kept;
  }

  admitExact(exact: readonly string[]): readonly string[] {
    const kept = exact.slice(0, this.exactLeft);
    this.exactLeft -= kept.length;
    return kept;
  }

  private admitPlaced({ token, position }: PlacedToken, known: Set<string>): boolean {
    if (position + POSITION_GAP > this.placesLeft || this.placedLeft === 0) return false;
    const places = this.placesByToken.get(token) ?? 0;
    if (places === MAX_PLACES_PER_TOKEN) return false;
    if (!known.has(token)) {
      if (this.tokensLeft === 0 || token.length > this.charactersLeft) return false;
      known.add(token);
      this.tokensLeft--;
      this.charactersLeft -= token.length;
    }
    this.placesByToken.set(token, places + 1);
    this.placedLeft--;
    return true;
  }
}
