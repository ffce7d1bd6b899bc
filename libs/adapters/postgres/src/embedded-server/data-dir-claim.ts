import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidSettingError, UnavailableError } from '@stratalog/model';
import { processStart } from './process-identity';

/**
 * Who owns a data folder. A claim is an empty file whose name says everything: pid, start of that process, a random word.
 * To own the folder one creates a claim and then looks for others that live. Of two starters at least one looks after the
 * other has created, sees it and withdraws: two owners are impossible, without any lock that a `kill -9` could leave
 * behind. (Both may withdraw; they try again after a random pause.) A claim whose process is gone binds nobody and is
 * swept away; as names never repeat, sweeping cannot hit a claim that lives.
 *
 * Not seen: an owner in another container that shares the folder, because pids mean nothing across containers.
 */
export interface DataDirClaim {
  release(): void;
}

const CLAIM = /^owner\.(\d+)\.([\w-]+)\.[0-9a-f]+\.claim$/;
const ATTEMPTS = 8;

/**
 * **Errors**: `UnavailableError` with pid and time when a living process owns the folder; `InvalidSettingError` when it cannot be
 * written.
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
