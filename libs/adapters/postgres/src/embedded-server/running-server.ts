import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf, processCommand, processStart } from './process-identity';
import type { ServerAccount } from './server-account';
import { serverEnvironment } from './server-settings';

/** Where PostgreSQL keeps the state of a cluster in `pg_control`, and what stands there after an end in order. */
const STATE_OFFSET = 16;
const STATE_SHUT_DOWN = 1;

/** A postmaster process: started by us, or left behind by an owner that was killed. */
export interface RunningServer {
  readonly pid: number;
  /** Resolves when the process has ended, with how. */
  readonly ended: Promise<string>;
  /** True when it gave up: it has ended with a fault of its own, not by a signal or an order. */
  hasGivenUp(): boolean;
  /** Sends a signal, unless the process has ended. */
  signal(name: NodeJS.Signals): void;
}

export interface ServerCommand {
  readonly postgres: string;
  readonly args: readonly string[];
  readonly clusterDir: string;
  readonly logFile: string;
  readonly account: ServerAccount | undefined;
}

/**
 * Starts the server in a process group of its own, so that a Ctrl-C in the terminal does not reach it before we have
 * stopped in order. Its messages go straight into the file: a pipe would break when we are killed and it is not.
 */
export function spawnServer(command: ServerCommand): RunningServer {
  const log = openSync(command.logFile, 'a', 0o600);
  const child = spawn(command.postgres, command.args, {
    cwd: command.clusterDir,
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
    ...command.account,
  });
  closeSync(log);
  child.unref();
  let givenUp = false;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      givenUp = code !== null && code !== 0;
      resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
    });
  });
  return {
    pid: child.pid ?? 0,
    ended,
    hasGivenUp: () => givenUp,
    signal: (name) => void child.kill(name),
  };
}

/**
 * Watches a server that is not our child, by asking for it five times a second. How it ended is known by what it leaves behind: its file when it
 * was killed, and a cluster that is marked as shut down when it had an order.
 */
export function watchServer(pid: number, clusterDir: string): RunningServer {
  const start = processStart(pid);
  const alive = (): boolean => start !== undefined && processStart(pid) === start;
  const ended = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (alive()) return;
      clearInterval(timer);
      resolve('it is gone');
    }, 200);
    timer.unref();
  });
  return {
    pid,
    ended,
    hasGivenUp: () => readPostmasterFile(clusterDir)?.pid !== pid && !wasShutDown(clusterDir),
    signal: (name) => {
      if (alive()) process.kill(pid, name);
    },
  };
}

/** True when the server ends within the time. */
async function endsWithin(server: RunningServer, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(ms, false, { signal: timer.signal }).catch(() => false);
  const ended = await Promise.race([server.ended.then(() => true), late]);
  timer.abort();
  return ended;
}

/** True while one of the server's processes replays the log after a crash. */
export function isRecovering({ pid }: RunningServer): boolean {
  return childrenOf(pid).some((child) => /^postgres: startup\b/.test(processCommand(child)?.args[0] ?? ''));
}

/**
 * `kill -9` of the server and of all that it has started: one of its processes that hangs would hold the shared memory, and no other server
 * could start. The server first, as it would start others.
 */
export function killServer(server: RunningServer): void {
  const children = childrenOf(server.pid);
  server.signal('SIGKILL');
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/**
 * Ends the server: first in order (sessions are cut, everything is written out), then at once (the next start replays the
 * log), then by force. Nothing that was acknowledged is lost in any of them.
 */
export async function endServer(server: RunningServer, log: (line: string) => void): Promise<void> {
  const steps = [
    { signal: 'SIGINT', waitMs: 30_000 },
    { signal: 'SIGQUIT', waitMs: 5_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ] as const;
  for (const { signal, waitMs } of steps) {
    if (signal === 'SIGKILL') killServer(server);
    else server.signal(signal);
    if (await endsWithin(server, waitMs)) return;
    log(`PostgreSQL (process ${server.pid}) is still there ${waitMs / 1000} s after ${signal}`);
  }
}

/** What a server writes into its cluster about itself; present as long as it runs, and after it was killed. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  readonly state: 'starting' | 'ready' | 'stopping';
}

export function readPostmasterFile(clusterDir: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  // A server in single-user mode writes its pid negated.
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  const word = lines[7]?.trim();
  const state = word === 'ready' || word === 'stopping' ? word : 'starting';
  return { pid: Math.abs(pid), port: Number(lines[3] ?? 0), state };
}

/** True when the last server of the cluster has written everything out and closed it. */
function wasShutDown(clusterDir: string): boolean {
  try {
    const state = readFileSync(join(clusterDir, 'global/pg_control')).readInt32LE(STATE_OFFSET);
    return state === STATE_SHUT_DOWN;
  } catch {
    return false;
  }
}

/** True when the process is a PostgreSQL server of this very cluster and not one that got its pid later. */
export function servesCluster(pid: number, clusterDir: string): boolean {
  const command = processCommand(pid);
  if (command === undefined) return false;
  if (command.workingDir === undefined) return command.args.join(' ').includes(`/postgres -D ${clusterDir} `);
  // A session names itself `postgres: ...`; the server keeps the path that it was started with.
  return command.workingDir === clusterDir && basename(command.args[0] ?? '') === 'postgres';
}

/**
 * Puts our own pid into the file of a server that is gone, when another process has got its pid since, or its parent has not
 * noticed its end. PostgreSQL would take that one for a running server and reject to start, but it knows that its parent is none. The rest of the file stays:
 * by it PostgreSQL sees sessions of the old server that still end.
 */
export function disownPostmasterFile(clusterDir: string): void {
  const path = join(clusterDir, 'postmaster.pid');
  const rest = readFileSync(path, 'utf8').split('\n').slice(1);
  const file = openSync(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  writeSync(file, [String(process.pid), ...rest].join('\n'));
  closeSync(file);
}
