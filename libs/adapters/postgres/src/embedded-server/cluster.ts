import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  closeSync,
} from 'node:fs';
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError, InvalidSettingError } from '@stratalog/model';
import type { PostgresBinaries } from './postgres-binaries';
import type { ServerAccount } from './server-account';
import { serverEnvironment } from './server-settings';

/**
 * The folder with the database files. It is made beside its place and renamed into it when complete, so that an interrupted
 * first start leaves nothing but a folder to sweep away.
 */
export const CLUSTER_NAME = 'postgres';
export const SUPERUSER = 'stratalog';
const UNFINISHED = 'postgres.init-';

/**
 * How PostgreSQL is told where the cluster is. Under root it runs as another user, who may not be able to enter the folders
 * above (`/root`, one made by `mktemp`). On Linux it does not have to: we enter the folder before it changes users.
 */
export function clusterPath(clusterDir: string, account: ServerAccount | undefined): string {
  return account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : clusterDir;
}

/**
 * True when there is a cluster to start. What holds no data (an empty or half-made folder) is removed.
 *
 * **Errors**: `InvalidSettingError` when the files are of another major version, or damaged and perhaps of value.
 */
export function findCluster(dataDir: string, majorVersion: string): boolean {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(UNFINISHED)) removeFolder(join(dataDir, name));
  }
  const clusterDir = join(dataDir, CLUSTER_NAME);
  if (!existsSync(clusterDir)) return false;
  if (existsSync(join(clusterDir, 'global', 'pg_control')) && existsSync(join(clusterDir, 'PG_VERSION'))) {
    const found = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
    if (found === majorVersion) return true;
    throw new InvalidSettingError(
      `STRATALOG_DATA_DIR: ${clusterDir} was written by PostgreSQL ${found}, and this is PostgreSQL ${majorVersion}, which ` +
        'cannot read it. Use the Stratalog that wrote it, or another folder.',
    );
  }
  if (holdsDatabases(clusterDir)) {
    throw new InvalidSettingError(
      `STRATALOG_DATA_DIR: ${clusterDir} is damaged: PG_VERSION or global/pg_control is missing, but there are databases. ` +
        'Restore a backup of the whole folder, or choose another.',
    );
  }
  removeFolder(clusterDir);
  return false;
}

/** PostgreSQL numbers databases that it was not born with from 16384. */
function holdsDatabases(clusterDir: string): boolean {
  const base = join(clusterDir, 'base');
  return existsSync(base) && readdirSync(base).some((name) => Number(name) >= 16_384);
}

function removeFolder(path: string): void {
  // Retried: an initdb that outlived its killed parent may still be writing.
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

export interface NewCluster {
  readonly dataDir: string;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount | undefined;
  readonly password: string;
  /** False only for throw-away clusters: then a crash of the machine may leave a broken one. */
  readonly durable: boolean;
}

/** Text sorts by code point, which is byte order, and knows the letters of Unicode; no locale of the machine matters. */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** **Errors**: `FaultError` with what initdb said. */
export async function createCluster({
  dataDir,
  binaries,
  account,
  password,
  durable,
}: NewCluster): Promise<void> {
  const staging = join(dataDir, `${UNFINISHED}${randomBytes(6).toString('hex')}`);
  const unfinished = join(staging, 'cluster');
  const passwordFile = join(staging, 'password');
  try {
    mkdirSync(unfinished, { recursive: true });
    chmodSync(staging, 0o711);
    chmodSync(unfinished, 0o700);
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (account !== undefined) {
      for (const path of [unfinished, passwordFile]) chownSync(path, account.uid, account.gid);
    }
    const auth = ['--auth=scram-sha-256', `--username=${SUPERUSER}`, '--pwfile=../password'];
    const args = [
      '-D',
      clusterPath(unfinished, account),
      ...auth,
      ...LOCALE,
      ...(durable ? [] : ['--no-sync']),
    ];
    await runInitdb(binaries.initdb, args, unfinished, account);
    renameSync(unfinished, join(dataDir, CLUSTER_NAME));
    if (durable) syncFolder(dataDir);
  } finally {
    removeFolder(staging);
  }
}

async function runInitdb(
  initdb: string,
  args: readonly string[],
  cwd: string,
  account: ServerAccount | undefined,
): Promise<void> {
  const child = spawn(initdb, args, {
    cwd,
    env: serverEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new FaultError(`PostgreSQL could not create its files in ${cwd}: ${said.trim()}`);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** After a backup was restored by root: gives the files back to the user that the server runs as. */
export function giveToAccount(clusterDir: string, account: ServerAccount | undefined): void {
  if (account === undefined || statSync(clusterDir).uid === account.uid) return;
  for (const name of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(clusterDir, name), account.uid, account.gid);
  }
  chmodSync(clusterDir, 0o700);
  // Last, because its owner says whether this has been done.
  chownSync(clusterDir, account.uid, account.gid);
}
