import { createHash } from 'node:crypto';
import { isJsonObject, parseJson, stringifyJson, type JsonValue, type PlaceInOrder } from '@stratalog/model';

/** Where a scroll goes on, of which question, and until when. */
export interface ScrollId {
  /** What {@link questionHash} says of the question. */
  readonly question: string;
  readonly expiresMs: number;
  readonly place: PlaceInOrder;
}

/** Raised when the form below changes. */
const VERSION = 1;

/** The opaque text that a client sends back. Who makes one up gets a page of what it may read anyway. */
export function formatScrollId({ question, expiresMs, place }: ScrollId): string {
  const members = { v: VERSION, q: question, x: expiresMs, k: place.keys, u: place.urn };
  return Buffer.from(JSON.stringify(members)).toString('base64url');
}

/** `undefined` for a text that is none of ours. */
export function parseScrollId(text: string): ScrollId | undefined {
  const members = jsonIn(text);
  if (!isJsonObject(members)) return undefined;
  const { v, q, x, k, u } = members;
  if (v !== VERSION || typeof q !== 'string' || typeof x !== 'number' || typeof u !== 'string')
    return undefined;
  if (!Array.isArray(k) || !k.every((key) => key === null || typeof key === 'string')) return undefined;
  if (u.includes('\u0000') || k.some((key) => key?.includes('\u0000') === true)) return undefined;
  return { question: q, expiresMs: x, place: { keys: k, urn: u } };
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Tells questions apart: a scroll goes on only with the one that it began with. */
export function questionHash(question: Readonly<Record<string, JsonValue>>): string {
  return createHash('sha256').update(stringifyJson(question)).digest('base64url').slice(0, 22);
}
