import { statfsSync } from 'node:fs';
import { StratalogError, UnavailableError } from '@stratalog/domain';

const SAYS_FULL = /No space left on device|Disk quota exceeded|no space left|ENOSPC|EDQUOT/i;
/** PostgreSQL writes its log in files of 16 MB, and needs one more before the former one is free. */
const LEAST_FREE_BYTES = 32 * 1024 * 1024;

/**
 * Explains the error of a start in one line when a full disk is the reason. Either one of its causes says so,
 * or the message is vague and the data folder has no room.
 */
export function explainFullDisk(error: unknown, dataDir: string): unknown {
  const said =
    wordsIn(error) ?? (saysLittle(error) && hasNoRoom(dataDir) ? 'it has less than 32 MB' : undefined);
  if (said === undefined) return error;
  return new UnavailableError(
    `The disk of ${dataDir} (STRATALOG_DATA_DIR) is full: ${said}. Make room and start again.`,
    { cause: error },
  );
}

/** Returns the line of the innermost error that reports a full disk. */
function wordsIn(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 10) return undefined;
  const inner = wordsIn(error.cause, depth + 1);
  const own = error.message.split('\n').find((line) => SAYS_FULL.test(line));
  return inner ?? own?.trim().slice(0, 300).replace(/\.$/, '');
}

function saysLittle(error: unknown): boolean {
  return error instanceof StratalogError && (error.code === 'unavailable' || error.code === 'fault');
}

function hasNoRoom(dataDir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataDir);
    return bavail * bsize < LEAST_FREE_BYTES;
  } catch {
    return false;
  }
}
