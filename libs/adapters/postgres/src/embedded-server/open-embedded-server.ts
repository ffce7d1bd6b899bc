import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidSettingError, UnavailableError } from '@stratalog/model';
import { CLUSTER_NAME, SUPERUSER, createCluster, findCluster, giveToAccount } from './cluster';
import { claimDataDir, type DataDirClaim } from './data-dir-claim';
import { cutOtherSessions, ensureDatabase } from './first-session';
import { findPostgresBinaries } from './postgres-binaries';
import { KeptServer } from './keep-running';
import { endServer, type RunningServer } from './running-server';
import { serverAccountOf } from './server-account';
import { openServerLog } from './server-log';
import { takeOverOrStart, type StartOptions, type StartedServer } from './start-server';

/**
 * A PostgreSQL server of our own, as a child process with its data in a folder.
 *
 * The data folder holds `postgres/` (the cluster), `password` (mode 0600), `postgres.log`, and an empty
 * `owner.*.claim` file for the process that owns it. There is no record of the running server besides PostgreSQL's own
 * `postmaster.pid`, so nothing can disagree with it.
 */
export interface EmbeddedServer {
  readonly url: string;
  /** Of the process that runs now: one that gave up or hung is started again under the same address. */
  readonly pid: number;
  /** Stops the server in order and gives the data folder free. Further calls wait for the same end. */
  stop(): Promise<void>;
  /** Calls `listener` when somebody else has ended the server, which is not started again then; at once if it already has. */
  onExit(listener: (reason: string) => void): void;
}

export interface EmbeddedServerOptions {
  readonly dataDir: string;
  /** One line per step of the life cycle, for people. */
  readonly log?: (line: string) => void;
  /** PostgreSQL settings on top of ours. With `fsync: 'off'` the cluster is made for throwing away. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where it listens; a free one without it. A server that is taken over keeps its own. */
  readonly port?: number;
  /** A server that runs, but neither answers nor recovers for so long is ended and started again; never without it. */
  readonly hangLimitMs?: number | undefined;
}

const DATABASE = 'stratalog';
const WRONG_PASSWORD = '28P01';

/**
 * Starts the server of a data folder, or takes over the one that a killed process left running there. The database
 * `stratalog` is there when it resolves.
 *
 * **Errors**: `UnavailableError` when a living process owns the folder (it names pid and time) or the server does not start;
 * `InvalidSettingError` when the folder cannot be used, or PostgreSQL cannot run here.
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
      mkdirSync(dataDir, { recursive: true });
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
  const account = serverAccountOf(clusterDir);
  const binaries = findPostgresBinaries(account);
  const exists = findCluster(dataDir, binaries.majorVersion);
  const password = passwordOf(dataDir, exists);
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
    return ownedServer(kept, url, release, log);
  } catch (error) {
    serverLog.close();
    throw error;
  }
}

/** Proves that the server can be used; one that was taken over and cannot (it is stopping, say) is replaced. */
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
      await endServer(started.server, start.log);
      if (!started.takenOver) throw unusable(start.clusterDir, error);
    }
  }
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

/** The password is stored before the cluster that knows it, so that no moment of a crash locks us out. */
function passwordOf(dataDir: string, clusterExists: boolean): string {
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
  url: string,
  release: () => void,
  log: (line: string) => void,
): EmbeddedServer {
  let stopping: Promise<void> | undefined;
  // When our process ends without `stop` (an uncaught error), the server is told to; nobody can wait for it any more.
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
