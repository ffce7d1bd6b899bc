import { createHash } from 'node:crypto';
import { VERSION } from '../environment/version';

/**
 * Computes the name of a catalog's model and calls, from the fingerprint of the one and the digest of the other. Clients keep what they
 * have learned from a server under this name.
 *
 * **Shape**: 40 hex digits, like the commit that clients expect; equal for all apps of a catalog.
 */
export function computeCommit(fingerprint: string, digest: string): string {
  const hash = createHash('sha256').update(JSON.stringify([VERSION, fingerprint, digest]));
  return hash.digest('hex').slice(0, 40);
}
