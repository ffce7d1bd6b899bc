import { createHash } from 'node:crypto';

/** Computes the digest by which large values are compared without fetching them, in the server's notation. */
export function hashSha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
