import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '@stratalog/domain';
import { isPidTaken, processCommand } from './process-identity';
import { clusterPath } from './cluster';
import { chooseLogLimit } from './log-limit';
import { endServer, readPostmasterFile, servesCluster, spawnServer, watchServer } from './running-server';
import { disownPostmasterFile, type RunningServer } from './running-server';
import type { ServerAccount } from './server-account';
import type { ServerLog } from './server-log';
import { serverArguments } from './server-settings';

export interface StartOptions {
  readonly clusterDir: string;
  readonly postgres: string;
  readonly account: ServerAccount | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly serverLog: ServerLog;
  readonly log: (line: string) => void;
  /** A free port if absent. */
  readonly port: number | undefined;
}

export interface StartedServer {
  readonly server: RunningServer;
  readonly port: number;
  /** True when the server ran before, so that sessions of its former owner may exist. */
  readonly takenOver: boolean;
}

/** Recovery after a crash replays up to 1 GB of log. */
const READY_TIMEOUT_MS = 300_000;
const PORT_ATTEMPTS = 5;
/** Maximum time for the sessions of a killed server to notice its end. */
const ORPHANS_TIMEOUT_MS = 30_000;

/**
 * Takes over the server that a killed owner left behind if its command is the same; stops it if it differs; starts one
 * otherwise. It touches only processes that prove to be a server of this cluster.
 */
export async function takeOverOrStart(options: StartOptions): Promise<StartedServer> {
  const left = readPostmasterFile(options.clusterDir);
  if (left !== undefined && servesCluster(left.pid, options.clusterDir)) {
    const server = watchServer(left.pid, options.clusterDir);
    const isReusable = left.state !== 'stopping' && isSameCommand(left.pid, left.port, options);
    if (isReusable && (await waitUntilReady(server, options)) === 'ready') {
      options.log(`taking over PostgreSQL (process ${left.pid}), which a killed process left behind`);
      return { server, port: left.port, takenOver: true };
    }
    options.log(`stopping PostgreSQL (process ${left.pid}), which a killed process left behind`);
    await endServer(server, options.log);
  }
  const dead = readPostmasterFile(options.clusterDir);
  if (dead !== undefined && isPidTaken(dead.pid) && !servesCluster(dead.pid, options.clusterDir)) {
    disownPostmasterFile(options.clusterDir);
  }
  return startNew(options);
}

/** The limit of the log follows the other arguments; it may differ. */
function isSameCommand(pid: number, port: number, options: StartOptions): boolean {
  const ours = [options.postgres, ...buildArguments(options, port), ''].join(' ');
  return processCommand(pid)?.args.join(' ').startsWith(ours) === true;
}

function buildArguments({ clusterDir, account, settings }: StartOptions, port: number): readonly string[] {
  return serverArguments(clusterPath(clusterDir, account), port, settings);
}

async function startNew(options: StartOptions): Promise<StartedServer> {
  const orphansUntil = performance.now() + ORPHANS_TIMEOUT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const logFrom = options.serverLog.end();
    const logLimit = `max_wal_size=${String(chooseLogLimit(options.clusterDir))}MB`;
    const args = [...buildArguments(options, port), '-c', logLimit];
    const server = spawnServer({ ...options, args });
    const outcome = await waitUntilReady(server, options);
    if (outcome === 'ready') return { server, port, takenOver: false };
    const output = options.serverLog.tail(logFrom);
    if (outcome === 'late') await endServer(server, options.log);
    // Another process took the port between the probe and the server's start.
    else if (output.includes('Address already in use') && attempt < PORT_ATTEMPTS) continue;
    else if (output.includes('pre-existing shared memory block') && performance.now() < orphansUntil) {
      await pause(200);
      continue;
    }
    throw new UnavailableError(
      `PostgreSQL did not start in ${options.clusterDir} (${outcome}). It said: ${output || 'nothing'} (log: ${options.logFile})`,
      { details: { clusterDir: options.clusterDir } },
    );
  }
}

/** Resolves with `ready`, `late`, or how the server ended. */
async function waitUntilReady(server: RunningServer, options: StartOptions): Promise<string> {
  let ended: string | undefined;
  void server.ended.then((how) => (ended = how));
  const startedAt = performance.now();
  let loggedAt = startedAt;
  while (performance.now() - startedAt < READY_TIMEOUT_MS) {
    await pause(20);
    if (ended !== undefined) return ended;
    const file = readPostmasterFile(options.clusterDir);
    if (file?.pid === server.pid && file.state === 'ready') return 'ready';
    if (performance.now() - loggedAt > 5_000) {
      loggedAt = performance.now();
      options.log(
        `PostgreSQL is starting, perhaps recovering from a crash (${Math.round((loggedAt - startedAt) / 1000)} s)`,
      );
    }
  }
  return 'late';
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().unref();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}
