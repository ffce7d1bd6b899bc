import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const OPERATOR_TOKEN_FILE = 'operator-token';

/**
 * The operator's token of a data folder: the one that is kept there, or a new one, readable by its owner only.
 *
 * **Shape**: 43 characters of base64url (256 random bits).
 */
export function operatorToken(dataDir: string): string {
  const path = join(dataDir, OPERATOR_TOKEN_FILE);
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(path, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
