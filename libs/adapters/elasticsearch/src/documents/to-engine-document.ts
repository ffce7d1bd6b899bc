import { createHash } from 'node:crypto';
import { stringifyJson, type FieldTokens, type SearchDocument } from '@stratalog/model';
import { ANY_FILTER_TOKEN } from '@stratalog/search-text';
import { memberOf } from '../engine/field-members';
import { toOrderKeys } from './order-keys';
import { placedText } from '../engine/place-slots';
import { placedScope, scoped } from './token-scope';

/** A search document as the engine is given it. */
export interface EngineDocument {
  readonly urn: string;
  readonly entityType: string;
  readonly seq: number;
  readonly removed: boolean;
  /** Keeps the place of a urn that was deleted as a whole. */
  readonly deleted: boolean;
  /** Factor of the score. */
  readonly weight: number;
  /** By field the values that are counted. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
  /** Every token once, for all questions but phrases: plain for fields that are queried by default, and scoped. */
  readonly tokens: readonly string[];
  /** Every key that filters compare, scoped. */
  readonly keys: readonly string[];
  /** By field the keys that orders go by. */
  readonly order: Readonly<Record<string, readonly string[]>>;
  /** The plain ones again by how much a match there weighs, for ranking; what is in none of the three weighs least. */
  readonly names: readonly string[];
  readonly tier1: readonly string[];
  readonly texts: readonly string[];
  /** Tokens with their places, a text for each field, for phrases. */
  readonly places: readonly string[];
  /** The stored values as JSON text, which the engine only hands back. */
  readonly body: string;
  /** Hash of everything but `seq`. */
  readonly fingerprint: string;
}

/** The engine's longest keyword is 32,766 bytes; UTF-8 takes up to three for a UTF-16 unit. */
const MAX_FACET_LENGTH = 10_000;

/** What the engine stores of a document: pure, equal for equal documents. */
export function toEngineDocument(document: SearchDocument): EngineDocument {
  const content = {
    urn: document.urn,
    entityType: document.entityType,
    removed: document.removed,
    deleted: document.deleted,
    weight: document.weight,
    facets: facetsOf(document.facets),
    tokens: [...toTokens(document.text), ...toFilterTokens(document.filters)],
    keys: Object.entries(document.filters).flatMap(([field, { keys }]) =>
      keys.map((key) => scoped(field, key)),
    ),
    order: toOrderKeys(document.filters),
    ...rankTokens(document.text),
    places: placesOf(document.text),
    body: stringifyJson(document.values),
  };
  const fingerprint = createHash('sha1').update(JSON.stringify(content)).digest('hex');
  return { ...content, seq: document.seq, fingerprint };
}

/** A NUL stands as the sign for what cannot be shown, on every engine. */
function facetsOf(facets: SearchDocument['facets']): EngineDocument['facets'] {
  return Object.fromEntries(
    Object.entries(facets).map(([name, values]) => [
      memberOf(name),
      values.map((value) => value.replaceAll('\u0000', '\ufffd').slice(0, MAX_FACET_LENGTH)),
    ]),
  );
}

function toTokens(fields: readonly FieldTokens[]): readonly string[] {
  const tokens = new Set<string>();
  for (const { field, queryByDefault, tokens: words, exact } of fields) {
    tokens.add(scoped(field, ''));
    for (const token of exact) tokens.add(scoped(field, token));
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

/** Names weigh most (annotated boosts reach 10), plain text 1, and what is below stands last. */
function rankTokens(fields: readonly FieldTokens[]): Pick<EngineDocument, 'names' | 'tier1' | 'texts'> {
  const between = (from: number, below: number): readonly string[] => {
    const chosen = fields.filter(
      ({ boost, queryByDefault }) => queryByDefault && boost >= from && boost < below,
    );
    return [...new Set(chosen.flatMap(({ tokens }) => tokens.map(({ token }) => token)))];
  };
  return { names: between(8, Infinity), tier1: between(2, 8), texts: between(1, 2) };
}

function placesOf(fields: readonly FieldTokens[]): readonly string[] {
  return fields.flatMap(({ field, queryByDefault, tokens }) => {
    if (tokens.length < 2) return [];
    const own = placedText(tokens, placedScope(field));
    return queryByDefault ? [own, placedText(tokens, placedScope(undefined))] : [own];
  });
}
