import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The fields that Node's parser takes for the client's wish about the connection, even behind a body. */
const CONNECTION_FIELDS: ReadonlySet<string> = new Set(['connection', 'proxy-connection']);

/**
 * Ends connections behind the answer to a request with a `Connection` field in its trailers. Node's parser
 * discards everything that follows such a request, while the server keeps the connection: the next request on it would never be answered.
 */
export function endAfterConnectionTrailers(server: Pick<Server, 'on'>): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['transfer-encoding'] === undefined) return;
    request.once('end', () => {
      if (!Object.keys(request.trailers).some((name) => CONNECTION_FIELDS.has(name))) return;
      const end = (): void => {
        request.socket.end();
      };
      if (response.writableFinished) end();
      else response.once('finish', end);
    });
  });
}
