import { createHash } from 'node:crypto';
import { stringifyJson, type FieldTokens, type SearchDocument } from '@stratalog/model';
import { ANY_FILTER_TOKEN } from '@stratalog/search-text';
import { toMember } from '../engine/field-members';
import { toOrderKeys } from './order-keys';
import { placedText } from '../engine/place-slots';
import { completionToken, placedScope, scoped } from './token-scope';

/** A search document in the form that the engine stores. */
export interface EngineDocument {
  readonly urn: string;
  readonly entityType: string;
  readonly seq: number;
  readonly removed: boolean;
  /** True for the document that keeps the place of a hard-deleted urn. */
  readonly deleted: boolean;
  /** Factor of the score. */
  readonly weight: number;
  /** The counted values of each field. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
  /** Every token once, for all queries except phrases: plain for fields that are queried by default, and scoped. */
  readonly tokens: readonly string[];
  /** Every key that filters compare, scoped. */
  readonly keys: readonly string[];
  /** The keys that orders compare, by field. */
  readonly order: Readonly<Record<string, readonly string[]>>;
  /** The plain tokens again, by the weight of a match. Tokens in none of the three weigh least. */
  readonly tier1: readonly string[];
  readonly tier2: readonly string[];
  readonly tier3: readonly string[];
  /** Tokens with their positions, one text per field, for phrases. */
  readonly places: readonly string[];
  /** The stored values as JSON text, which the engine only returns. */
  readonly body: string;
  /** Hash of everything except `seq`. */
  readonly fingerprint: string;
}

/**
 * Maximum length of a facet value. The engine's longest keyword is 32,766 bytes, and UTF-8 takes up to three bytes per
 * UTF-16 unit.
 */
const MAX_FACET_LENGTH = 10_000;

/** Converts a search document to the engine's form. Pure; equal for equal documents. */
export function toEngineDocument(document: SearchDocument): EngineDocument {
  const content = {
    urn: document.urn,
    entityType: document.entityType,
    removed: document.removed,
    deleted: document.deleted,
    weight: document.weight,
    facets: toFacets(document.facets),
    tokens: [...toTokens(document.text), ...toFilterTokens(document.filters)],
    keys: Object.entries(document.filters).flatMap(([field, { keys }]) =>
      keys.map((key) => scoped(field, key)),
    ),
    order: toOrderKeys(document.filters),
    ...rankTokens(document.text),
    places: toPlaces(document.text),
    body: stringifyJson(document.values),
  };
  const fingerprint = createHash('sha1').update(JSON.stringify(content)).digest('hex');
  return { ...content, seq: document.seq, fingerprint };
}

/** Replaces NUL by the replacement character, as on every engine, and cuts a long value. */
export function toFacetValue(value: string): string {
  return value.replaceAll('\u0000', '\ufffd').slice(0, MAX_FACET_LENGTH);
}

function toFacets(facets: SearchDocument['facets']): EngineDocument['facets'] {
  return Object.fromEntries(
    Object.entries(facets).map(([name, values]) => [toMember(name), values.map(toFacetValue)]),
  );
}

function toTokens(fields: readonly FieldTokens[]): readonly string[] {
  const tokens = new Set<string>();
  for (const { field, queryByDefault, tokens: words, exact, completions } of fields) {
    tokens.add(scoped(field, ''));
    for (const token of exact) tokens.add(scoped(field, token));
    for (const value of completions) tokens.add(completionToken(field, value));
    for (const { token } of words) {
      tokens.add(scoped(field, token));
      if (queryByDefault) tokens.add(token);
    }
  }
  return [...tokens];
}

function toFilterTokens(filters: SearchDocument['filters']): readonly string[] {
  return Object.entries(filters).flatMap(([field, { tokens }]) =>
    [ANY_FILTER_TOKEN, ...tokens].map((token) => scoped(field, token)),
  );
}

/** Groups tokens by weight: names weigh most (annotated boosts reach 10), plain text 1, boosts below 1 least. */
function rankTokens(fields: readonly FieldTokens[]): Pick<EngineDocument, 'tier1' | 'tier2' | 'tier3'> {
  const between = (from: number, below: number): readonly string[] => {
    const chosen = fields.filter(
      ({ boost, queryByDefault }) => queryByDefault && boost >= from && boost < below,
    );
    return [...new Set(chosen.flatMap(({ tokens }) => tokens.map(({ token }) => token)))];
  };
  return { tier1: between(8, Infinity), tier2: between(2, 8), tier3: between(1, 2) };
}

function toPlaces(fields: readonly FieldTokens[]): readonly string[] {
  return fields.flatMap(({ field, queryByDefault, tokens }) => {
    if (tokens.length < 2) return [];
    const own = placedText(tokens, placedScope(field));
    return queryByDefault ? [own, placedText(tokens, placedScope(undefined))] : [own];
  });
}
