import { createHash, randomBytes } from 'node:crypto';
import { InvalidRequestError, type Proposal } from '@stratalog/domain';
import { isJsonObject, valueAt } from '@stratalog/json';
import type { AspectStore } from '@stratalog/ports';

/**
 * The property of system metadata that holds the trace of a write, with the original's name. By it the log, the store and the dead letters
 * carry the trace, in both profiles.
 */
const PROPERTY = 'telemetryTraceId';

/** Hex digits of the parts of a trace id. */
const TIME_DIGITS = 16;
const CHECK_DIGITS = 8;

/**
 * Makes the id of a new trace.
 *
 * **Shape**: 32 hex digits: 16 of the time in epoch microseconds, which clients read, 8 random ones, and 8 by which this store knows its own
 * ids.
 */
export function mintTraceId(
  { store }: { readonly store: Pick<AspectStore, 'identity'> },
  nowMs: number,
): string {
  const micros = BigInt(Math.round(nowMs)) * 1_000n;
  const unique = micros.toString(16).padStart(TIME_DIGITS, '0') + randomBytes(4).toString('hex');
  return unique + checkDigits(store.identity.storeId, unique);
}

function checkDigits(storeId: string, unique: string): string {
  return createHash('sha256').update(`${storeId} ${unique}`).digest('hex').slice(0, CHECK_DIGITS);
}

/** Formats the header `traceparent` of W3C's Trace Context. */
export function formatTraceparent(traceId: string): string {
  return `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
}

export interface Trace {
  readonly id: string;
  /** When the write was sent. Epoch ms. */
  readonly timeMs: number;
}

/** True for an id that {@link mintTraceId} has made for this store. */
export function isOwnTrace({ id }: Trace, storeId: string): boolean {
  return id.endsWith(checkDigits(storeId, id.slice(0, -CHECK_DIGITS)));
}

const TRACE = /^(?:[0-9a-f]{2}-)?([0-9a-f]{32})(?:-[0-9a-f]{16}-[0-9a-f]{2})?$/i;

/**
 * Parses a trace id, alone or in a `traceparent`.
 *
 * **Errors**: `InvalidRequestError` for another text.
 */
export function parseTrace(text: string): Trace {
  const id = TRACE.exec(text)?.[1]?.toLowerCase();
  if (id === undefined) {
    throw new InvalidRequestError(
      `Parameter 'traceId': "${text.slice(0, 100)}" is not a trace id of 32 hex digits`,
    );
  }
  return { id, timeMs: Number(BigInt(`0x${id.slice(0, TIME_DIGITS)}`) / 1_000n) };
}

/** Adds a trace to a proposal, in place of one that its sender copied from a read. */
export function withTrace(proposal: Proposal, traceId: string): Proposal {
  const { systemMetadata = {} } = proposal;
  const { properties } = systemMetadata;
  const others = isJsonObject(properties) ? properties : {};
  return {
    ...proposal,
    systemMetadata: { ...systemMetadata, properties: { ...others, [PROPERTY]: traceId } },
  };
}

/** True when system metadata are those of a write with this trace. */
export function hasTrace(systemMetadata: Proposal['systemMetadata'], traceId: string): boolean {
  return valueAt(systemMetadata?.properties, [PROPERTY]) === traceId;
}
