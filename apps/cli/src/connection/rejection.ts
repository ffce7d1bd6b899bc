import { isJsonObject, parseJson } from '@stratalog/model';
import type { Answer } from './catalog-client';

/** Longest answer that is quoted when it is not in the catalog's error shape, say from a proxy in between. */
const MAX_QUOTED = 200;

/** Why the catalog said no, in its own words. */
export function toRejection(answer: Answer): string {
  const message = toMessage(answer.text);
  if (message !== undefined) return message;
  const quoted = answer.text.replace(/\s+/g, ' ').trim().slice(0, MAX_QUOTED);
  return quoted === ''
    ? `HTTP status ${String(answer.status)}`
    : `HTTP status ${String(answer.status)}: ${quoted}`;
}

/** The name that the catalog proposes instead of an unknown one, as the end of a sentence; empty when it proposes none. */
export function nearNameIn(answer: Answer): string {
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
