import { InvalidRequestError, formatPosition, parsePosition, type Position } from '@stratalog/domain';
import type { QueryParameters } from '../request/query-parameters';
import type { WireReply, WireRequest } from '../request/wire';

/** On a write's answer: the position of the write. On a search's answer: the position that it reflects. */
const POSITION_HEADER = 'x-stratalog-position';
/** On a search: the position that the answer must include. */
const WAIT_FOR_HEADER = 'x-stratalog-wait-for';
/** The same as a parameter of the address. */
const WAIT_PARAMETER = 'wait';
/** On a search's answer: the number of changes that the index was behind. */
const LAG_HEADER = 'x-stratalog-lag';

export function setPosition(reply: WireReply, position: Position): void {
  void reply.header(POSITION_HEADER, formatPosition(position));
}

/** **Units**: `lag` counts the changes of the store that the index lacks. */
export function setIndexPosition(reply: WireReply, position: Position, lag: number): void {
  setPosition(reply, position);
  void reply.header(LAG_HEADER, String(lag));
}

/**
 * Returns the position that the answer must include, if the caller names one.
 *
 * **Errors**: `InvalidRequestError` when the header or the parameter holds no position.
 */
export function waitForPosition(request: WireRequest): Position | undefined {
  const inHeader = request.headers[WAIT_FOR_HEADER];
  const token = inHeader ?? (request.query as QueryParameters).optional(WAIT_PARAMETER);
  if (token === undefined) return undefined;
  const position = typeof token === 'string' ? parsePosition(token) : undefined;
  if (position === undefined) {
    const place = inHeader === undefined ? "Parameter 'wait'" : 'Header X-Stratalog-Wait-For';
    throw new InvalidRequestError(`${place}: not a position; send one as X-Stratalog-Position gave it`);
  }
  return position;
}
