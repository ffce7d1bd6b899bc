import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import { processStart } from './process-identity';

/**
 * Gives a data folder at most one owning process.
 *
 * A claim is an empty file. Its name holds the pid, the start of that process and a random word. A starter creates a
 * claim and then looks for other living claims. Of two starters, at least one looks after the other has created, sees
 * that claim and withdraws. So two owners are impossible, without a lock that a `kill -9` could leave behind.
 *
 * Both may withdraw; they retry after a random pause. A starter removes claims of processes that have ended. Names
 * never repeat, so that cannot remove a living claim.
 *
 * It does not detect an owner in another container that shares the folder, because pids differ between containers.
 */
export interface DataDirClaim {
  release(): void;
}

const CLAIM = /^owner\.(\d+)\.([\w-]+)\.[0-9a-f]+\.claim$/;
const ATTEMPTS = 8;

/**
 * Claims a data folder for this process.
 *
 * **Errors**: `UnavailableError` with pid and time when a living process owns the folder; `InvalidSettingError` when
 * the folder is not writable.
 */
export async function claimDataDir(dataDir: string): Promise<DataDirClaim> {
  const start = processStart(process.pid) ?? 'unknown';
  for (let attempt = 1; ; attempt += 1) {
    const name = `owner.${process.pid}.${start}.${randomBytes(6).toString('hex')}.claim`;
    const path = join(dataDir, name);
    try {
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw new InvalidSettingError(
        `STRATALOG_DATA_DIR: ${dataDir} cannot be used: ${(error as Error).message}`,
        {
          cause: error,
        },
      );
    }
    const other = livingClaims(dataDir).find((claim) => claim.name !== name);
    if (other === undefined)
      return {
        release: () => {
          rmSync(path, { force: true });
        },
      };
    rmSync(path, { force: true });
    if (attempt === ATTEMPTS) throw heldBy(dataDir, other);
    await pause(10 + Math.random() * 40);
  }
}

interface LivingClaim {
  readonly name: string;
  readonly pid: number;
  readonly since: Date;
}

function livingClaims(dataDir: string): LivingClaim[] {
  const claims: LivingClaim[] = [];
  for (const name of readdirSync(dataDir)) {
    const [, pid, start] = CLAIM.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(dataDir, name);
    if (processStart(Number(pid)) === start) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined) claims.push({ name, pid: Number(pid), since: stat.mtime });
    } else {
      rmSync(path, { force: true });
    }
  }
  return claims;
}

function heldBy(dataDir: string, holder: LivingClaim): UnavailableError {
  const since = holder.since.toISOString();
  return new UnavailableError(
    `The data folder ${dataDir} is in use by process ${holder.pid} since ${since}. ` +
      'Stop that process, or set STRATALOG_DATA_DIR to another folder.',
    { details: { dataDir, pid: holder.pid, since } },
  );
}
