import { isUtf8 } from 'node:buffer';
import {
  InvalidRequestError,
  isJsonObject,
  parseUntrustedInSteps,
  type JsonObject,
  type ParsedJson,
} from '@stratalog/model';
import { inSlices } from '@stratalog/ports';

/** The body of a request, and those of its objects and lists that are large. */
export interface ParsedBody {
  readonly body: JsonObject;
  readonly large: ParsedJson['large'];
}

/**
 * Reads a request's body, a large one in slices between which others are served. An empty one is the empty object, as an action without
 * parameters sends it.
 *
 * **Errors**: `InvalidRequestError` that says why the bytes are no JSON object.
 */
export async function parseBody(bytes: Buffer): Promise<ParsedBody> {
  if (bytes.length === 0) return EMPTY;
  if (!isUtf8(bytes)) throw new InvalidRequestError('Error parsing entity body: not UTF-8');
  const text = bytes.toString('utf8');
  const { value, large } = await parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (!isJsonObject(value)) throw new InvalidRequestError('Error parsing entity body: not a JSON object');
  return { body: value, large };
}

const EMPTY: ParsedBody = { body: {}, large: new Set() };

async function parse(text: string): Promise<ParsedJson> {
  if (text.trim() === '') return { value: {}, large: EMPTY.large };
  try {
    return await inSlices(parseUntrustedInSteps(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    throw new InvalidRequestError(`Error parsing entity body: ${reason}`, { cause: error });
  }
}
