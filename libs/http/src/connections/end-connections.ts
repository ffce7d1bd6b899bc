import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Ends each connection with its next answer from now on, so that clients open their next one elsewhere. New connections are still served. */
export function endConnections(server: Pick<Server, 'prependListener'>): void {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
}
