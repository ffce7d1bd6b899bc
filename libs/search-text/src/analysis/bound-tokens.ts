import type { FieldTokens, PlacedToken } from '@stratalog/model';
import { POSITION_GAP } from './analyze-field';

/** So many tokens of a document are kept, counting each place. */
export const MAX_TOKENS_PER_DOCUMENT = 8000;

/** So many places of one token within a document are kept: Postgres stores no more than 255 of a word. */
export const MAX_PLACES_PER_TOKEN = 255;

/**
 * The places of all fields, one field after the other with a gap between, come to no more: Postgres tells no places apart
 * from 16,383 on.
 */
export const MAX_PLACES_PER_DOCUMENT = 16_000;

/** So many exact tokens of a document are kept. */
export const MAX_EXACT_TOKENS_PER_DOCUMENT = 4000;

/**
 * So many characters of tokens are kept, each place counted. With the limits above a document's word vector stays below
 * the megabyte that Postgres allows, even when each token is stored twice, plain and under its field's name.
 */
export const MAX_TOKEN_CHARACTERS_PER_DOCUMENT = 256 * 1024;

/**
 * Cuts the tokens of a document to what every engine can hold, so that all of them find the same. Fields with a higher
 * boost are served first, then in the given order: a long description never costs the name.
 *
 * **Order and repeats**: fields and tokens stay in their order and at their places; doing it twice changes nothing.
 */
export function boundTokens(fields: readonly FieldTokens[]): readonly FieldTokens[] {
  const budget = new Budget();
  const bounded = [...fields];
  const byBoost = fields.map((field, at) => ({ field, at })).sort((a, b) => b.field.boost - a.field.boost);
  for (const { field, at } of byBoost) {
    bounded[at] = { ...field, tokens: budget.admit(field.tokens), exact: budget.admitExact(field.exact) };
  }
  return bounded;
}

class Budget {
  private tokensLeft = MAX_TOKENS_PER_DOCUMENT;
  private charactersLeft = MAX_TOKEN_CHARACTERS_PER_DOCUMENT;
  private exactLeft = MAX_EXACT_TOKENS_PER_DOCUMENT;
  private placesLeft = MAX_PLACES_PER_DOCUMENT;
  private readonly placesOf = new Map<string, number>();

  /** What is kept of one field's tokens. */
  admit(tokens: readonly PlacedToken[]): readonly PlacedToken[] {
    const kept = tokens.filter((placed) => this.admitPlaced(placed));
    const last = kept.at(-1);
    if (last !== undefined) this.placesLeft -= last.position + POSITION_GAP;
    return kept;
  }

  admitExact(exact: readonly string[]): readonly string[] {
    const kept = exact.slice(0, this.exactLeft);
    this.exactLeft -= kept.length;
    return kept;
  }

  private admitPlaced({ token, position }: PlacedToken): boolean {
    if (position + POSITION_GAP > this.placesLeft) return false;
    const places = this.placesOf.get(token) ?? 0;
    if (places === MAX_PLACES_PER_TOKEN) return false;
    if (this.tokensLeft === 0 || token.length > this.charactersLeft) return false;
    this.placesOf.set(token, places + 1);
    this.tokensLeft--;
    this.charactersLeft -= token.length;
    return true;
  }
}
