import type { FieldTokens, SearchDocument } from '@stratalog/domain';
import { ANY_FILTER_TOKEN, toTier } from '@stratalog/search-text';
import type { Lexemes } from '../database/binary-arrays';
import { toPair } from './neighbours';

/**
 * Converts a document's tokens to a `tsvector`.
 *
 * **Shape**: each token of a field becomes `.field:token`, and also the plain token when the field is queried by
 * default. `.field:` means "has a value". Tokens for filters are added too, and `.:pair` for words next to each other. A word
 * never starts with a dot, so a prefix search of words cannot match a field's tokens. Weights A to D carry the field's boost. Positions are renumbered
 * without large gaps, because PostgreSQL counts only to 16,383; a gap of one position is enough to end a phrase.
 */
export function toTsvector(document: Pick<SearchDocument, 'text' | 'filters'>): readonly Lexemes[] {
  const lexemes = new LexemesByField();
  const pairs = lexemes.of(PAIRS);
  let place = 0;
  for (const field of document.text) {
    const weight = computeWeight(field) << PLACE_BITS;
    const own = lexemes.of(field.field);
    own.add('');
    for (const token of field.exact) own.add(token);
    for (const value of field.completions) lexemes.words.add(scoped(field.field, COMPLETION_MARK + value));
    let last: number | undefined;
    let before: readonly string[] = [];
    let here: string[] = [];
    for (const { token, position } of field.tokens) {
      if (position !== last) {
        const isNext = last !== undefined && position === last + 1;
        place += isNext ? 1 : 2;
        before = isNext ? here : [];
        here = [];
      }
      last = position;
      if (place > MAX_PLACE) break;
      own.add(token, weight | place);
      if (field.queryByDefault) lexemes.words.add(token, weight | place);
      for (const other of before) addPair(pairs, other, token);
      here.push(token);
    }
  }
  for (const [field, { tokens }] of Object.entries(document.filters)) {
    const own = lexemes.of(field);
    own.add(ANY_FILTER_TOKEN);
    for (const token of tokens) own.add(token);
  }
  return lexemes.all();
}

function addPair(pairs: Pick<Words, 'add'>, first: string, second: string): void {
  const pair = toPair(first, second);
  if (pair !== undefined) pairs.add(pair);
}

/**
 * Converts the words of a document's names and its values for autocompletion, without positions: small enough to rank a
 * hundred thousand matches.
 */
export function toNameTsvector(document: Pick<SearchDocument, 'text'>): readonly Lexemes[] {
  const names = new Words('');
  for (const field of document.text) {
    if (isName(field)) for (const { token } of field.tokens) names.add(token);
    for (const value of field.completions) names.add(scoped(field.field, COMPLETION_MARK + value));
  }
  return [names];
}

/** True for a field whose words rank as names. */
export function isName({ boost, queryByDefault }: Pick<FieldTokens, 'boost' | 'queryByDefault'>): boolean {
  return toTier(boost) === 1 && queryByDefault;
}

/** Collects lexemes by their field, so that texts are compared without its name. */
class LexemesByField {
  /** The words of all fields, and lexemes that another field with a colon in its name could have too. */
  readonly words = new Words('');
  private readonly fields = new Map<string, Words>();

  of(field: string): Pick<Words, 'add'> {
    const known = this.fields.get(field);
    if (known !== undefined) return known;
    if (field.includes(':')) {
      return {
        add: (end, place) => {
          this.words.add(scoped(field, end), place);
        },
      };
    }
    const own = new Words(scoped(field, ''));
    this.fields.set(field, own);
    return own;
  }

  all(): readonly Lexemes[] {
    return [...this.fields.values(), this.words];
  }
}

/** Lexemes with their places, each once. */
class Words implements Lexemes {
  readonly ends = new Map<string, number[]>();

  constructor(readonly start: string) {}

  /** Adds a lexeme, and a place of it. A lexeme has each place once, and at most as many as PostgreSQL stores. */
  add(end: string, place?: number): void {
    const places = this.ends.get(end);
    if (places === undefined) this.ends.set(end, place === undefined ? [] : [place]);
    else if (place !== undefined && places.length < MAX_PLACES && places.at(-1) !== place) places.push(place);
  }
}

/** Begins the lexeme of a value for autocompletion; no other token begins with it. */
export const COMPLETION_MARK = '=';

/** Stands for the field of pairs of words, which belong to no single field; no field has this name. */
const PAIRS = '';

/** Returns the lexeme of a pair of words next to each other; `undefined` when no document has one for it. */
export function pairLexeme(first: string, second: string): string | undefined {
  const pair = toPair(first, second);
  return pair === undefined ? undefined : scoped(PAIRS, pair);
}

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
