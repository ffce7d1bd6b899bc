import type { ServerOptions } from 'node:http';

/**
 * The time limit for receiving a whole request: enough for 16 MB on a slow line, too little to hold sockets
 * for free.
 */
export const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 20_000;
/** The interval at which Node checks for late requests; its default of 30 s would turn the 60 s into 90. */
const LATENESS_CHECK_MS = 1_000;
export const MAX_HEADER_BYTES = 16 * 1024;

/** Limits of every server for the size and duration of requests. */
export const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEADER_BYTES,
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: LATENESS_CHECK_MS,
  requireHostHeader: false,
};
