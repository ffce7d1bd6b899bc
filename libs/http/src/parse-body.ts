import { isUtf8 } from 'node:buffer';
import { InvalidRequestError, isJsonObject, parseUntrustedJson, type JsonObject } from '@stratalog/model';

/**
 * Reads a request's body. An empty one is the empty object, as an action without parameters sends it.
 *
 * **Errors**: `InvalidRequestError` that says why the bytes are no JSON object.
 */
export function parseBody(bytes: Buffer): JsonObject {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new InvalidRequestError('Error parsing entity body: not UTF-8');
  const text = bytes.toString('utf8');
  const body = parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (!isJsonObject(body)) throw new InvalidRequestError('Error parsing entity body: not a JSON object');
  return body;
}

function parse(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return parseUntrustedJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    throw new InvalidRequestError(`Error parsing entity body: ${reason}`, { cause: error });
  }
}
