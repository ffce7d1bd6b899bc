import { isJsonObject, parseJson } from '@stratalog/json';
import type { Answer } from './catalog-client';

/**
 * The limit for quoting an answer that is not in the catalog's error shape, for example from a proxy.
 * **Units**: characters.
 */
const MAX_QUOTED = 200;

/** Extracts the catalog's reason for a rejection, in its own words. */
export function toRejection(answer: Pick<Answer, 'status' | 'text'>): string {
  const message = toMessage(answer.text);
  if (message !== undefined) return message;
  const quoted = answer.text.replace(/\s+/g, ' ').trim().slice(0, MAX_QUOTED);
  return quoted === ''
    ? `HTTP status ${String(answer.status)}`
    : `HTTP status ${String(answer.status)}: ${quoted}`;
}

/**
 * Returns the catalog's suggestion for an unknown name, as the end of a sentence; empty when there is none.
 */
export function readSuggestion(answer: Pick<Answer, 'text'>): string {
  return /; did you mean [^;]+\?$/.exec(toMessage(answer.text) ?? '')?.[0] ?? '';
}

function toMessage(text: string): string | undefined {
  try {
    const body = parseJson(text);
    const message = isJsonObject(body) ? body.message : undefined;
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
}
