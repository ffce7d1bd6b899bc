import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '@stratalog/adapters-postgres';
import { InvalidSettingError } from '@stratalog/domain';

export const OPERATOR_TOKEN_FILE = 'operator-token';

/**
 * Returns the operator's token of a data folder: the stored one, or a new one that only its owner can read.
 *
 * **Shape**: 43 characters of base64url (256 random bits).
 *
 * **Errors**: `InvalidSettingError` when the folder cannot be used.
 */
export function operatorToken(dataDir: string): string {
  try {
    createFolder(dataDir);
    return keptToken(join(dataDir, OPERATOR_TOKEN_FILE));
  } catch (error) {
    throw new InvalidSettingError(
      `STRATALOG_DATA_DIR: ${dataDir} cannot be used: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

function keptToken(path: string): string {
  const token = randomBytes(32).toString('base64url');
  const text = `${token}\n`;
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stored = readFileSync(path, 'utf8').trim();
  if (stored !== '') return stored;
  // A start that was killed between creating and writing has left the file empty.
  writeFileSync(path, text);
  return token;
}
