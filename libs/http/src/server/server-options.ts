import type { ServerOptions } from 'node:http';

/** A whole request must be in within this time: enough for 16 MB on a slow line, too little to hold sockets for free. */
export const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 20_000;
/** Node looks for requests that are late so often; its own 30 s would make 90 of the 60. */
const LATENESS_CHECK_MS = 1_000;
export const MAX_HEADER_BYTES = 16 * 1024;

/** What every server of ours takes from its clients, and for how long. */
export const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEADER_BYTES,
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: LATENESS_CHECK_MS,
  requireHostHeader: false,
};
