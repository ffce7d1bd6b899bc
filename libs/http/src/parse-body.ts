import { isUtf8 } from 'node:buffer';
import { InvalidRequestError, isJsonObject, parseUntrustedInSteps, type JsonObject } from '@stratalog/model';
import { inSlices } from '@stratalog/ports';

/**
 * Reads a request's body, a large one in slices between which others are served. An empty one is the empty object, as an action without parameters sends it.
 *
 * **Errors**: `InvalidRequestError` that says why the bytes are no JSON object.
 */
export async function parseBody(bytes: Buffer): Promise<JsonObject> {
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new InvalidRequestError('Error parsing entity body: not UTF-8');
  const text = bytes.toString('utf8');
  const body = await parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (!isJsonObject(body)) throw new InvalidRequestError('Error parsing entity body: not a JSON object');
  return body;
}

async function parse(text: string): Promise<unknown> {
  if (text.trim() === '') return {};
  try {
    const { value } = await inSlices(parseUntrustedInSteps(text));
    return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    throw new InvalidRequestError(`Error parsing entity body: ${reason}`, { cause: error });
  }
}
