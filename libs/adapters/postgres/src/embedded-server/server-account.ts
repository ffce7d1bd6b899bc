import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { InvalidSettingError } from '@stratalog/domain';

/** The user that PostgreSQL runs as when this process is root: the server refuses to run as root. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

const ACCOUNT_NAME = 'postgres';

/**
 * Selects the user for the server; `undefined` for the current user.
 *
 * Under root it is the owner of the existing cluster, or the system user `postgres`, which is created if it is missing.
 *
 * **Errors**: `InvalidSettingError` when the cluster belongs to another user, or no user is available.
 */
export function selectServerAccount(clusterDir: string): ServerAccount | undefined {
  const us = process.getuid?.();
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (us !== 0) {
    if (owner === undefined || owner.uid === us) return undefined;
    throw new InvalidSettingError(
      `STRATALOG_DATA_DIR: ${clusterDir} belongs to the user with id ${owner.uid}, and we run as ${String(us)}. ` +
        'Start as its owner, or choose another folder.',
    );
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return findAccount() ?? createAccount();
}

function findAccount(): ServerAccount | undefined {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(run('id', [flag, ACCOUNT_NAME])));
    return uid === undefined || gid === undefined ? undefined : { uid, gid };
  } catch {
    return undefined;
  }
}

function createAccount(): ServerAccount {
  let failure: unknown;
  for (const [command, ...args] of [
    ['groupadd', '--force', '--system', ACCOUNT_NAME],
    [
      'useradd',
      '--system',
      '--gid',
      ACCOUNT_NAME,
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      ACCOUNT_NAME,
    ],
  ] as const) {
    try {
      run(command, args);
    } catch (error) {
      failure = error;
    }
  }
  // Checked again whatever the commands returned: a concurrent start may have created the user.
  const account = findAccount();
  if (account !== undefined) return account;
  throw new InvalidSettingError(
    `PostgreSQL does not run as root, and the user "${ACCOUNT_NAME}" could not be created: ${String(failure)}. ` +
      'Create it, start as an ordinary user, or set DATABASE_URL to a server of yours.',
    { cause: failure },
  );
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}
