import { createHash } from 'node:crypto';

/** The digest by which a large value is compared without being fetched, as the server writes it. */
export function hashSha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
