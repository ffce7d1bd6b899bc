import { createHash } from 'node:crypto';
import type { DocumentedRoute } from '@stratalog/http';
import { VERSION } from '../environment/version';

/**
 * Computes the name of a catalog's model and calls. Clients keep what they have learned from a server under this name.
 *
 * **Shape**: 40 hex digits, like the commit that clients expect; equal for all apps of a catalog.
 */
export function computeCommit(
  { fingerprint }: { readonly fingerprint: string },
  routes: readonly DocumentedRoute[],
): string {
  const hash = createHash('sha256').update(JSON.stringify([VERSION, fingerprint, routes]));
  return hash.digest('hex').slice(0, 40);
}
