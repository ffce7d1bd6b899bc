import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import { CLUSTER_NAME, SUPERUSER, createCluster, findCluster, giveToAccount } from './cluster';
import { createFolder } from './create-folder';
import { claimDataDir, type DataDirClaim } from './data-dir-claim';
import { DiskRoom } from './disk-room';
import { cutOtherSessions, ensureDatabase } from './first-session';
import { findPostgresBinaries } from './postgres-binaries';
import { KeptServer } from './keep-running';
import { endServer, killServer, type RunningServer } from './running-server';
import { selectServerAccount } from './server-account';
import { openServerLog } from './server-log';
import { takeOverOrStart, type StartOptions, type StartedServer } from './start-server';

/**
 * A PostgreSQL server that runs as a child process with its data in a folder.
 *
 * The data folder holds `postgres/` (the cluster), `password` (mode 0600), `postgres.log`, and an empty `owner.*.claim`
 * file of the owning process. PostgreSQL's own `postmaster.pid` is the only record of the running server, so no other
 * record can contradict it.
 */
export interface EmbeddedServer {
  readonly url: string;
  /** Pid of the current server process. A restart after a failure changes it, and keeps the address. */
  readonly pid: number;
  /** Of its disk. */
  readonly room: DiskRoom;
  /** Stops the server and releases the data folder. Further calls wait for the same end. */
  stop(): Promise<void>;
  /**
   * Calls `listener` when another process has ended the server, which is then not restarted. Calls it at once if that
   * has already happened.
   */
  onExit(listener: (reason: string) => void): void;
}

export interface EmbeddedServerOptions {
  readonly dataDir: string;
  /** Receives one line per step of the life cycle, for operators. */
  readonly log?: (line: string) => void;
  /** PostgreSQL settings that override the defaults. With `fsync: 'off'` the cluster is disposable. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Port to listen on; a free one if absent. A server that is taken over keeps its port. */
  readonly port?: number;
  /** A server that neither answers nor recovers for this long is killed and restarted. Absent: never. */
  readonly hangLimitMs?: number | undefined;
}

const DATABASE = 'stratalog';
const WRONG_PASSWORD = '28P01';

/**
 * Starts the server of a data folder, or takes over one that a killed process left running there. The database
 * `stratalog` exists when it resolves.
 *
 * **Errors**: `UnavailableError` when a living process owns the folder (with its pid and time) or the server does not
 * start; `InvalidSettingError` when the folder is unusable or PostgreSQL cannot run here.
 */
export async function openEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const dataDir = prepareDataDir(resolve(options.dataDir));
  const claim = await claimDataDir(dataDir);
  try {
    return await openClaimed(dataDir, claim, options);
  } catch (error) {
    claim.release();
    throw error;
  }
}

function prepareDataDir(dataDir: string): string {
  try {
    if (!existsSync(dataDir)) {
      createFolder(dataDir);
      chmodSync(dataDir, 0o700);
    }
    return realpathSync(dataDir);
  } catch (error) {
    throw new InvalidSettingError(
      `STRATALOG_DATA_DIR: ${dataDir} cannot be used: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

async function openClaimed(
  dataDir: string,
  claim: DataDirClaim,
  { log = () => undefined, settings = {}, port, hangLimitMs }: EmbeddedServerOptions,
): Promise<EmbeddedServer> {
  const clusterDir = join(dataDir, CLUSTER_NAME);
  const account = selectServerAccount(clusterDir);
  const binaries = findPostgresBinaries(account);
  const exists = findCluster(dataDir, binaries.majorVersion);
  const password = ensurePassword(dataDir, exists);
  if (!exists) {
    log(`creating the database files in ${clusterDir}`);
    await createCluster({ dataDir, binaries, account, password, durable: settings.fsync !== 'off' });
  }
  giveToAccount(clusterDir, account);

  const logFile = join(dataDir, 'postgres.log');
  const serverLog = openServerLog(logFile);
  const start: StartOptions = {
    clusterDir,
    postgres: binaries.postgres,
    account,
    settings,
    logFile,
    serverLog,
    log,
    port,
  };
  try {
    const { started, url } = await startUsable(start, password);
    const release = (): void => {
      serverLog.close();
      claim.release();
    };
    const { server } = started;
    const again = { ...start, port: started.port };
    const restart = async (): Promise<RunningServer> => (await startUsable(again, password)).started.server;
    const kept = new KeptServer({ server, restart, log, port: started.port, hangLimitMs });
    return ownedServer(kept, { url, room: new DiskRoom(clusterDir) }, release, log);
  } catch (error) {
    serverLog.close();
    throw error;
  }
}

/**
 * Starts a server and proves that it is usable. Replaces a server that was taken over and is not, for instance because
 * it is stopping.
 */
async function startUsable(
  start: StartOptions,
  password: string,
): Promise<{ started: StartedServer; url: string }> {
  for (;;) {
    const started = await takeOverOrStart(start);
    const urlOf = (database: string): string =>
      `postgres://${SUPERUSER}:${password}@127.0.0.1:${started.port}/${database}`;
    try {
      await ensureDatabase(urlOf, DATABASE);
      if (started.takenOver) await cutOtherSessions(urlOf(DATABASE));
      return { started, url: urlOf(DATABASE) };
    } catch (error) {
      // A server that sends nothing hangs, and would not hear a request to stop.
      if (isSilence(error)) killServer(started.server);
      await endServer(started.server, start.log);
      if (!started.takenOver) throw unusable(start.clusterDir, error);
    }
  }
}

/** An answer of the server has an SQLSTATE, a fault of the connection a code of the system; a time-out has neither. */
function isSilence(error: unknown): boolean {
  return (error as { code?: unknown }).code === undefined;
}

function unusable(clusterDir: string, cause: unknown): Error {
  const reason = (cause as Error).message;
  return (cause as { code?: unknown }).code === WRONG_PASSWORD
    ? new InvalidSettingError(
        `STRATALOG_DATA_DIR: the file "password" does not open ${clusterDir} (${reason}). Restore both from one backup.`,
        { cause },
      )
    : new UnavailableError(`PostgreSQL in ${clusterDir} started but cannot be used: ${reason}`, { cause });
}

/**
 * Reads or creates the password. It is stored before the cluster that uses it, so that no crash locks the catalog out.
 */
function ensurePassword(dataDir: string, clusterExists: boolean): string {
  const path = join(dataDir, 'password');
  if (existsSync(path)) {
    const password = readFileSync(path, 'utf8').trim();
    if (password !== '') return password;
  }
  if (clusterExists) {
    throw new InvalidSettingError(
      `STRATALOG_DATA_DIR: the file ${path} is missing or empty, and without it the database in ${dataDir} cannot be ` +
        'opened. Restore it from a backup of the folder.',
    );
  }
  const password = randomBytes(24).toString('base64url');
  writeFileSync(path, `${password}\n`, { mode: 0o600, flush: true });
  return password;
}

function ownedServer(
  server: KeptServer,
  { url, room }: Pick<EmbeddedServer, 'url' | 'room'>,
  release: () => void,
  log: (line: string) => void,
): EmbeddedServer {
  let stopping: Promise<void> | undefined;
  // If the process ends without `stop` (an uncaught error), this signals the server; no code can wait for its end.
  const atExit = (): void => {
    server.signal('SIGINT');
  };
  process.once('exit', atExit);
  const end = async (): Promise<void> => {
    await server.stop((each) => endServer(each, log));
    process.removeListener('exit', atExit);
    release();
  };
  return {
    url,
    room,
    get pid() {
      return server.pid;
    },
    stop: () => (stopping ??= end()),
    onExit: (listener) => {
      void server.lost.then((reason) => {
        if (stopping === undefined) listener(reason);
      });
    },
  };
}
