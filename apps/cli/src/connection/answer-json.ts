import { isJsonObject, parseJson, type JsonObject } from '@stratalog/model';
import type { Answer } from './catalog-client';
import { CommandFailure, EXIT } from '../exit-code';

/**
 * Returns the object in an answer.
 *
 * **Errors**: {@link CommandFailure} when there is none: a server other than a catalog answered.
 */
export function objectIn(answer: Answer, address: string): JsonObject {
  const body = jsonIn(answer);
  if (body !== undefined) return body;
  throw new CommandFailure(
    `${address} answered something that is not from a catalog (HTTP status ${String(answer.status)}): check --server`,
    EXIT.rejected,
  );
}

/** Undefined when the body is empty or no JSON object. */
export function jsonIn(answer: Pick<Answer, 'text'>): JsonObject | undefined {
  try {
    const body = parseJson(answer.text);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
