import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidSettingError } from '@stratalog/model';

export const OPERATOR_TOKEN_FILE = 'operator-token';

/**
 * The operator's token of a data folder: the one that is kept there, or a new one, readable by its owner only.
 *
 * **Shape**: 43 characters of base64url (256 random bits).
 *
 * **Errors**: `InvalidSettingError` when the folder cannot be used.
 */
export function operatorToken(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true });
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
  const kept = readFileSync(path, 'utf8').trim();
  if (kept !== '') return kept;
  // A start that was killed in between has left the file empty.
  writeFileSync(path, text);
  return token;
}
