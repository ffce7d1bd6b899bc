import type { Server } from 'node:net';
import { usesTls } from '@stratalog/http';

/** Returns the address of a server that listens on `host`; the system may have chosen its port. */
export function listeningUrl(server: Pick<Server, 'address'>, host: string): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null)
    throw new TypeError('The server does not listen on a port');
  return `${usesTls(server) ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${String(address.port)}`;
}
