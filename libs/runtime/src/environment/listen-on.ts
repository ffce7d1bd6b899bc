import { once } from 'node:events';
import type { Server } from 'node:net';
import { listeningUrl } from './listening-url';
import { unusableAddress } from './unusable-address';

export interface ListenOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The setting that names the port. */
  readonly setting: string;
}

/**
 * Lets a server listen, and returns its address.
 *
 * **Errors**: rejects with an `InvalidSettingError` when the address cannot be used.
 */
export async function listenOn(server: Server, { host, port, setting }: ListenOptions): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw unusableAddress(setting, host, port, error as NodeJS.ErrnoException);
  }
  // The process survives a connection that the system does not hand over, for want of file handles.
  server.on('error', () => undefined);
  return listeningUrl(server, host);
}
