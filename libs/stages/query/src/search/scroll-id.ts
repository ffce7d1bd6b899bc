import { createHash } from 'node:crypto';
import type { PlaceInOrder } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonOutput, type JsonValue } from '@stratalog/json';

/** Cursor of a scroll: its query, its place in the order, and its expiry. */
export interface ScrollId {
  /** Digest of each parameter of the query, by {@link hashParameters}. */
  readonly digests: readonly string[];
  readonly expiresMs: number;
  readonly place: PlaceInOrder;
}

/** Characters of a digest: 48 bits, which no two values of one parameter share by chance. */
const DIGEST_LENGTH = 8;
/** Version of the encoded form below; raise it with each change. */
const VERSION = 2;

/**
 * Formats the opaque text that a client sends back. It is unsigned: a forged id only selects a page that the client
 * may read anyway.
 */
export function formatScrollId({ digests, expiresMs, place }: ScrollId): string {
  const members = { v: VERSION, q: digests.join(' '), x: expiresMs, k: place.keys, u: place.urn };
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
  return { digests: q.split(' '), expiresMs: x, place: { keys: k, urn: u } };
}

function decodeJson(text: string): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A parameter on which the matches or their order depend, under its name on the wire. */
export type ScrollParameter = readonly [name: string, value: JsonOutput | undefined];

/** Hashes each parameter, so that a scroll continues only with those that started it. */
export function hashParameters(parameters: readonly ScrollParameter[]): readonly string[] {
  return parameters.map(([, value]) =>
    createHash('sha256')
      .update(stringifyJson(value ?? null))
      .digest('base64url')
      .slice(0, DIGEST_LENGTH),
  );
}

/** Names the first parameter that another query has another value of; `undefined` when all are the same. */
export function findChanged(
  digests: readonly string[],
  parameters: readonly ScrollParameter[],
): string | undefined {
  const own = hashParameters(parameters);
  return parameters.find((_, at) => own[at] !== digests[at])?.[0];
}
