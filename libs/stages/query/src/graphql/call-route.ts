import {
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  ThrottledError,
  UnavailableError,
  parsePosition,
} from '@stratalog/domain';
import { forwardWrite, type WholeCatalog, type WireRequest } from '@stratalog/http';
import {
  isJsonObject,
  parseUntrustedJson,
  stringifyJson,
  type JsonOutputObject,
  type JsonValue,
} from '@stratalog/json';
import type { ReachedPosition } from './reached-position';

interface Route {
  readonly request: WireRequest;
  readonly whole: WholeCatalog | null | undefined;
  readonly reached: ReachedPosition;
}

/**
 * Calls a route that writes, as the caller of a text would, and tells the position of the write.
 *
 * **Errors**: that of the route, with its message.
 */
export async function callRoute(
  { request, whole, reached }: Route,
  target: string,
  body: JsonOutputObject,
): Promise<JsonValue | undefined> {
  const call = {
    method: 'POST',
    target,
    headers: { 'content-type': 'application/json' },
    body: stringifyJson(body),
  };
  const answer = await forwardWrite(request, call, whole);
  const text = await answer.text();
  if (answer.status >= 400) throw toError(answer.status, messageOf(text));
  const position = parsePosition(answer.headers.get('x-stratalog-position') ?? '');
  if (position !== undefined) reached.wrote(position);
  return text === '' ? undefined : parseUntrustedJson(text);
}

function messageOf(text: string): string {
  try {
    const body = parseUntrustedJson(text);
    if (isJsonObject(body) && typeof body.message === 'string') return body.message;
  } catch {
    // Not an answer of ours, such as that of a gateway.
  }
  return text.slice(0, 500);
}

function toError(status: number, message: string): Error {
  switch (status) {
    case 400:
    case 409:
    case 412:
    case 413:
    case 422:
      return new InvalidRequestError(message);
    case 401:
    case 403:
      return new ForbiddenError(message);
    case 404:
      return new NotFoundError(message);
    case 429:
      return new ThrottledError(message);
    default:
      return new UnavailableError(message);
  }
}
