import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '@stratalog/model';
import { isPidTaken, processCommand } from './process-identity';
import { clusterPath } from './cluster';
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
  /** A free one when it is not given. */
  readonly port: number | undefined;
}

export interface StartedServer {
  readonly server: RunningServer;
  readonly port: number;
  /** True when it ran before: there may be sessions of its former owner. */
  readonly takenOver: boolean;
}

/** Recovery after a crash replays up to 1 GB of log. */
const READY_TIMEOUT_MS = 300_000;
const PORT_ATTEMPTS = 5;
/** How long sessions of a killed server may take to notice. */
const ORPHANS_TIMEOUT_MS = 30_000;

/**
 * Takes over the server that a killed owner left behind when it is the one that we would start; stops it when it is
 * another; else starts one. Only a process that proves to be a server of this cluster is ever touched.
 */
export async function takeOverOrStart(options: StartOptions): Promise<StartedServer> {
  const left = readPostmasterFile(options.clusterDir);
  if (left !== undefined && servesCluster(left.pid, options.clusterDir)) {
    const server = watchServer(left.pid, options.clusterDir);
    const fits = left.state !== 'stopping' && isSameCommand(left.pid, left.port, options);
    if (fits && (await becomesReady(server, options)) === 'ready') {
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

function isSameCommand(pid: number, port: number, options: StartOptions): boolean {
  const ours = [options.postgres, ...argumentsOf(options, port)].join(' ');
  return processCommand(pid)?.args.join(' ') === ours;
}

function argumentsOf({ clusterDir, account, settings }: StartOptions, port: number): readonly string[] {
  return serverArguments(clusterPath(clusterDir, account), port, settings);
}

async function startNew(options: StartOptions): Promise<StartedServer> {
  const orphansUntil = performance.now() + ORPHANS_TIMEOUT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const logFrom = options.serverLog.end();
    const server = spawnServer({ ...options, args: argumentsOf(options, port) });
    const outcome = await becomesReady(server, options);
    if (outcome === 'ready') return { server, port, takenOver: false };
    const said = options.serverLog.tail(logFrom);
    if (outcome === 'late') await endServer(server, options.log);
    // Someone else took the port between our look and the server's.
    else if (said.includes('Address already in use') && attempt < PORT_ATTEMPTS) continue;
    else if (said.includes('pre-existing shared memory block') && performance.now() < orphansUntil) {
      await pause(200);
      continue;
    }
    throw new UnavailableError(
      `PostgreSQL did not start in ${options.clusterDir} (${outcome}). It said: ${said || 'nothing'} (log: ${options.logFile})`,
      { details: { clusterDir: options.clusterDir } },
    );
  }
}

/** `ready`, `late`, or how the server ended. */
async function becomesReady(server: RunningServer, options: StartOptions): Promise<string> {
  let ended: string | undefined;
  void server.ended.then((how) => (ended = how));
  const startedAt = performance.now();
  let told = startedAt;
  while (performance.now() - startedAt < READY_TIMEOUT_MS) {
    await pause(20);
    if (ended !== undefined) return ended;
    const file = readPostmasterFile(options.clusterDir);
    if (file?.pid === server.pid && file.state === 'ready') return 'ready';
    if (performance.now() - told > 5_000) {
      told = performance.now();
      options.log(
        `PostgreSQL is starting, perhaps recovering from a crash (${Math.round((told - startedAt) / 1000)} s)`,
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
