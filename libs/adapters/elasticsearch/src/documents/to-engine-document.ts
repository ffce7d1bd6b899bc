import { createHash } from 'node:crypto';
import type { FieldTokens, SearchDocument } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import { ANY_FILTER_TOKEN, toTier, collectVocabulary } from '@stratalog/search-text';
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
  /** The plain tokens again, by the tier of their fields. */
  readonly tier1: readonly string[];
  readonly tier2: readonly string[];
  readonly tier3: readonly string[];
  /** The words that the index offers as its vocabulary. */
  readonly words: readonly string[];
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
    words: collectVocabulary(document.text),
    places: toPlaces(document.text),
    body: stringifyJson(document.values),
  };
  const fingerprint = createHash('sha1').update(JSON.stringify(content)).digest('hex');
  return { ...content, seq: document.seq, fingerprint };
}

/** Cuts a long value, and replaces NUL and unpaired surrogates by the replacement character, as on every engine. */
export function toFacetValue(value: string): string {
  return value
    .slice(0, MAX_FACET_LENGTH)
    .replaceAll('\u0000', '\ufffd')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd');
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

/** Groups tokens by the tier of their fields. */
function rankTokens(fields: readonly FieldTokens[]): Pick<EngineDocument, 'tier1' | 'tier2' | 'tier3'> {
  const ofTier = (tier: 1 | 2 | 3): readonly string[] => {
    const chosen = fields.filter(({ boost, queryByDefault }) => queryByDefault && toTier(boost) === tier);
    return [...new Set(chosen.flatMap(({ tokens }) => tokens.map(({ token }) => token)))];
  };
  return { tier1: ofTier(1), tier2: ofTier(2), tier3: ofTier(3) };
}

function toPlaces(fields: readonly FieldTokens[]): readonly string[] {
  return fields.flatMap(({ field, queryByDefault, tokens }) => {
    if (tokens.length < 2) return [];
    const own = placedText(tokens, placedScope(field));
    return queryByDefault ? [own, placedText(tokens, placedScope(undefined))] : [own];
  });
}
