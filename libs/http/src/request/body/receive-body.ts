import type { IncomingMessage } from 'node:http';
import { FaultError } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import { JSON_PRICES, computeHeapCost } from '../../admission/heap-cost';
import { readContentEncoding } from './content-encoding';
import { parseBody } from './parse-body';
import { readBody } from './read-body';
import { computeBodyLimit } from '../request-limits';
import type { WireRequest } from '../wire';

/**
 * The most that the values of a body may cost, as a multiple of the limit for its bytes. Metadata costs up to eight times its
 * bytes, and lists of empty objects thirty times.
 */
const MAX_COST_PER_BYTE = 12;
/** The state and the window of a decoder. **Units**: bytes. */
const DECODER_BYTES = 64 * 1024;

export interface BodyDeps {
  readonly maxBodyBytes: number;
  readonly queryTimeoutMs: number;
}

/**
 * Reads and parses the body of a request, each when there is room for it in memory.
 *
 * **Errors**: those of {@link readBody}, `RequestMemory.takeValues` and {@link parseBody}.
 */
export async function receiveBody(
  request: WireRequest,
  stream: IncomingMessage,
  { maxBodyBytes, queryTimeoutMs }: BodyDeps,
): Promise<JsonObject> {
  const { memory, headers, routeOptions } = request;
  if (memory === null) throw new FaultError('The request is not admitted yet');
  const { takesLargeBody, listBody } = routeOptions.config;
  const maxBytes = computeBodyLimit(takesLargeBody, maxBodyBytes);
  const isEncoded = readContentEncoding(headers['content-encoding']) !== undefined;
  if (isEncoded) memory.growBody(DECODER_BYTES);
  const declared = isEncoded ? undefined : headers['content-length'];
  const declaredBytes = declared === undefined ? undefined : Number(declared);
  const bytes = await readBody(stream, { maxBytes, declaredBytes, memory });
  const maxCost = MAX_COST_PER_BYTE * maxBytes;
  const cost = await inSlices(computeHeapCost(bytes, JSON_PRICES));
  await memory.takeValues(cost, { maxCost, timeLimitMs: queryTimeoutMs });
  const { body, large } = await parseBody(bytes, listBody);
  memory.dropBody();
  request.largeParts = large;
  return body;
}

/** Lets go of the body of a request whose answer exists, although the client may read it for long. */
export function dropBody(request: WireRequest): void {
  request.body = undefined;
  request.largeParts = null;
  request.memory?.answered();
}
