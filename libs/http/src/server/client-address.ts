import { isIP } from 'node:net';
import { toPlainAddress } from '../access/users/trusted-networks';
import type { WireRequest } from '../request/wire';

/**
 * Returns the address that a request came from: the nearest in `X-Forwarded-For` that is no trusted proxy, where
 * the connection is one of a trusted proxy, else the other end of the connection.
 */
export function readClientAddress({ ip, socket }: Pick<WireRequest, 'ip' | 'socket'>): string {
  // A trusted proxy may still pass on text that is no address.
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? 'unknown') : ip;
  return toPlainAddress(address);
}
