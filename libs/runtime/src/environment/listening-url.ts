import type { Server } from 'node:net';

/** Where a server that listens on `host` is reached; its port may have been chosen by the system. */
export function listeningUrl(server: Pick<Server, 'address'>, host: string): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new TypeError('The server does not listen on a port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(address.port)}`;
}
