import type { FieldTokens, SearchDocument } from '@stratalog/model';

/**
 * A document's tokens as PostgreSQL's text form of a `tsvector`.
 *
 * **Shape**: each token of a field stands as `.field:token`, and plain as well when the field is queried by default; `.field:` stands
 * for "has a value". A word never starts with a dot, so a prefix search of words cannot meet a field's tokens.
 * Weights A to D carry the field's boost. Places are numbered anew without the large gaps, because PostgreSQL counts only
 * to 16,383; a gap of one place is enough to end a phrase.
 */
export function tsvectorOf(document: Pick<SearchDocument, 'text'>): string {
  const places = new Map<string, string[]>();
  const add = (lexeme: string, place?: string): void => {
    const known = places.get(lexeme);
    if (known === undefined) places.set(lexeme, place === undefined ? [] : [place]);
    else if (place !== undefined) known.push(place);
  };
  let place = 0;
  for (const field of document.text) {
    const weight = weightOf(field);
    add(scoped(field.field, ''));
    for (const token of field.exact) add(scoped(field.field, token));
    let last: number | undefined;
    for (const { token, position } of field.tokens) {
      if (last === undefined || position > last + 1) place += 2;
      else if (position > last) place += 1;
      last = position;
      if (place > MAX_PLACE) break;
      const written = `${String(place)}${weight}`;
      add(scoped(field.field, token), written);
      if (field.queryByDefault) add(token, written);
    }
  }
  let text = '';
  for (const [lexeme, own] of places)
    text += `${quoteLexeme(lexeme)}${own.length > 0 ? `:${own.join(',')}` : ''} `;
  return text;
}

/** Fields whose annotated boost is at least this hold names. */
const NAME_BOOST = 8;

/**
 * The words of a document's names alone, without places: small enough to rank a hundred thousand matches by.
 *
 * **Shape**: the text form of a `tsvector`.
 */
export function nameTsvectorOf(document: Pick<SearchDocument, 'text'>): string {
  const names = new Set<string>();
  for (const { boost, queryByDefault, tokens } of document.text) {
    if (boost >= NAME_BOOST && queryByDefault) for (const { token } of tokens) names.add(token);
  }
  return [...names].map(quoteLexeme).join(' ');
}

/** The highest place that a `tsvector` can tell apart. */
const MAX_PLACE = 16_383;

/** The lexeme that stands for a token in one field. */
export function scoped(field: string, token: string): string {
  return `.${field}:${token}`;
}

export function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Names weigh most (annotated boosts reach 10), plain text 1, and what is below stands last. */
function weightOf(field: FieldTokens): 'A' | 'B' | 'C' | 'D' {
  if (field.boost >= NAME_BOOST) return 'A';
  if (field.boost >= 2) return 'B';
  return field.boost >= 1 ? 'C' : 'D';
}
