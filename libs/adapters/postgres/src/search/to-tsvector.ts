import type { FieldTokens, SearchDocument } from '@stratalog/model';
import { ANY_FILTER_TOKEN, toTier } from '@stratalog/search-text';
import type { Lexemes } from '../database/binary-arrays';

/**
 * Converts a document's tokens to a `tsvector`.
 *
 * **Shape**: each token of a field becomes `.field:token`, and also the plain token when the field is queried by
 * default. `.field:` means "has a value". Tokens for filters are added too. A word never starts with a dot, so a prefix
 * search of words cannot match a field's tokens. Weights A to D carry the field's boost. Positions are renumbered
 * without large gaps, because PostgreSQL counts only to 16,383; a gap of one position is enough to end a phrase.
 */
export function toTsvector(document: Pick<SearchDocument, 'text' | 'filters'>): Lexemes {
  const lexemes = new Map<string, number[]>();
  const add = (lexeme: string, place?: number): void => {
    const places = lexemes.get(lexeme);
    if (places === undefined) lexemes.set(lexeme, place === undefined ? [] : [place]);
    else if (place !== undefined && isFollowedBy(places, place)) places.push(place);
  };
  let place = 0;
  for (const field of document.text) {
    const weight = computeWeight(field) << PLACE_BITS;
    const prefix = scoped(field.field, '');
    add(prefix);
    for (const token of field.exact) add(prefix + token);
    for (const value of field.completions) add(prefix + COMPLETION_MARK + value);
    let last: number | undefined;
    for (const { token, position } of field.tokens) {
      if (last === undefined || position > last + 1) place += 2;
      else if (position > last) place += 1;
      last = position;
      if (place > MAX_PLACE) break;
      add(prefix + token, weight | place);
      if (field.queryByDefault) add(token, weight | place);
    }
  }
  for (const [field, { tokens }] of Object.entries(document.filters)) {
    add(scoped(field, ANY_FILTER_TOKEN));
    for (const token of tokens) add(scoped(field, token));
  }
  return lexemes;
}

/** A lexeme has each position once, and at most as many positions as PostgreSQL stores. */
function isFollowedBy(places: readonly number[], place: number): boolean {
  return places.length < MAX_PLACES && places.at(-1) !== place;
}

/**
 * Converts the words of a document's names and its values for autocompletion, without positions: small enough to rank a
 * hundred thousand matches.
 */
export function toNameTsvector(document: Pick<SearchDocument, 'text'>): Lexemes {
  const names = new Map<string, readonly number[]>();
  for (const { field, boost, queryByDefault, tokens, completions } of document.text) {
    if (toTier(boost) === 1 && queryByDefault) for (const { token } of tokens) names.set(token, []);
    for (const value of completions) names.set(scoped(field, COMPLETION_MARK + value), []);
  }
  return names;
}

/** Begins the lexeme of a value for autocompletion; no other token begins with it. */
export const COMPLETION_MARK = '=';

/** The highest position that a `tsvector` can distinguish. */
const MAX_PLACE = 16_383;
const PLACE_BITS = 14;
const MAX_PLACES = 255;

/** Builds the lexeme of a token in one field. */
export function scoped(field: string, token: string): string {
  return `.${field}:${token}`;
}

export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns the weight of a tier in PostgreSQL's notation; fields of none have D. */
export function weightOf(tier: 1 | 2 | 3): 'A' | 'B' | 'C' {
  return tier === 1 ? 'A' : tier === 2 ? 'B' : 'C';
}

/** **Units**: 3 for PostgreSQL's A down to 0 for D. */
function computeWeight({ boost }: Pick<FieldTokens, 'boost'>): number {
  return 4 - (toTier(boost) ?? 4);
}
