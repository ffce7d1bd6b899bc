import { isUtf8 } from 'node:buffer';
import { InvalidRequestError } from '@stratalog/domain';
import { isJsonObject, parseUntrustedInSteps, type JsonObject, type ParsedJson } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';

/** The parsed body of a request, and its objects and lists that are large. */
export interface ParsedBody {
  readonly body: JsonObject;
  readonly large: ParsedJson['large'];
}

/**
 * Parses a request's body, an object, or a list that becomes the member `listName` of one. It parses a large body in slices, between which the process serves other requests.
 * An empty body is the empty object: clients send it for an action without parameters.
 *
 * **Errors**: `InvalidRequestError` that says why the bytes are no JSON object or list.
 */
export async function parseBody(bytes: Buffer, listName?: string): Promise<ParsedBody> {
  if (bytes.length === 0) return EMPTY;
  if (!isUtf8(bytes)) throw new InvalidRequestError('Error parsing entity body: not UTF-8');
  const text = bytes.toString('utf8');
  const { value, large } = await parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (listName !== undefined) {
    if (!Array.isArray(value)) throw new InvalidRequestError('Error parsing entity body: not a JSON list');
    return { body: { [listName]: value }, large };
  }
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
