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
import { FaultError, InvalidSettingError } from '@stratalog/domain';
import type { PostgresBinaries } from './postgres-binaries';
import type { ServerAccount } from './server-account';
import { serverEnvironment } from './server-settings';

/**
 * Name of the folder with the database files. It is created under another name and renamed when complete, so an
 * interrupted first start leaves only a folder that the next start removes.
 */
export const CLUSTER_NAME = 'postgres';
export const SUPERUSER = 'stratalog';
const UNFINISHED = 'postgres.init-';

/**
 * Returns the cluster's path for PostgreSQL's command line.
 *
 * Under root the server runs as another user, which may lack access to parent folders (`/root`, or one of `mktemp`). On
 * Linux it needs none: the process enters the folder before it changes users.
 */
export function clusterPath(clusterDir: string, account: ServerAccount | undefined): string {
  return account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : clusterDir;
}

/**
 * Returns true when a cluster exists. Removes an empty or unfinished one, which holds no data.
 *
 * **Errors**: `InvalidSettingError` when the files belong to another major version, or are damaged and may hold data.
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

/** True when the folder holds databases besides the initial ones; PostgreSQL numbers them from 16384. */
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
  /** False only for disposable clusters, which a crash of the machine may break. */
  readonly durable: boolean;
}

/**
 * Text sorts by code point, which equals byte order, and has Unicode case rules; the machine's locale does not matter.
 */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/**
 * Creates a cluster in the data folder.
 *
 * **Errors**: `FaultError` with the output of initdb.
 */
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
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code !== 0) throw new FaultError(`PostgreSQL could not create its files in ${cwd}: ${output.trim()}`);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Returns the files to the server's user after root restored a backup. */
export function giveToAccount(clusterDir: string, account: ServerAccount | undefined): void {
  if (account === undefined || statSync(clusterDir).uid === account.uid) return;
  for (const name of readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(clusterDir, name), account.uid, account.gid);
  }
  chmodSync(clusterDir, 0o700);
  // Changed last, because its owner marks the work as complete.
  chownSync(clusterDir, account.uid, account.gid);
}
