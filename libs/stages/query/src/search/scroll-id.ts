import { createHash } from 'node:crypto';
import { isJsonObject, parseJson, stringifyJson, type JsonValue, type PlaceInOrder } from '@stratalog/model';

/** Cursor of a scroll: its query, its place in the order, and its expiry. */
export interface ScrollId {
  /** Digest of the query by {@link hashQuery}. */
  readonly queryDigest: string;
  readonly expiresMs: number;
  readonly place: PlaceInOrder;
}

/** Version of the encoded form below; raise it with each change. */
const VERSION = 1;

/**
 * Formats the opaque text that a client sends back. It is unsigned: a forged id only selects a page that the client
 * may read anyway.
 */
export function formatScrollId({ queryDigest, expiresMs, place }: ScrollId): string {
  const members = { v: VERSION, q: queryDigest, x: expiresMs, k: place.keys, u: place.urn };
  return Buffer.from(JSON.stringify(members)).toString('base64url');
}

/** Parses a scroll id; `undefined` for any other text. */
export function parseScrollId(text: string): ScrollId | undefined {
  const members = decodeJson(text);
  if (!isJsonObject(members)) return undefined;
  const { v, q, x, k, u } = members;
  if (v !== VERSION || typeof q !== 'string' || typeof x !== 'number' || typeof u !== 'string')
    return undefined;
  if (!Array.isArray(k) || !k.every((key) => key === null || typeof key === 'string')) return undefined;
  if (u.includes('\u0000') || k.some((key) => key?.includes('\u0000') === true)) return undefined;
  return { queryDigest: q, expiresMs: x, place: { keys: k, urn: u } };
}

function decodeJson(text: string): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Hashes a query, so that a scroll continues only with the query that started it. */
export function hashQuery(query: Readonly<Record<string, JsonValue>>): string {
  return createHash('sha256').update(stringifyJson(query)).digest('base64url').slice(0, 22);
}
