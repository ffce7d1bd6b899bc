import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listChildren, processCommand, processStart } from './process-identity';
import type { ServerAccount } from './server-account';
import { serverEnvironment } from './server-settings';

/** Offset of the cluster's state in `pg_control`, and its value after an orderly shutdown. */
const STATE_OFFSET = 16;
const STATE_SHUT_DOWN = 1;

/** A postmaster process: started by this process, or left behind by a killed owner. */
export interface RunningServer {
  readonly pid: number;
  /** Resolves when the process has ended, with the reason. */
  readonly ended: Promise<string>;
  /** True when the server ended with an error of its own, not by a signal or a shutdown request. */
  hasGivenUp(): boolean;
  /** Sends a signal unless the process has ended. */
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
 * Starts the server in its own process group, so that a Ctrl-C in the terminal does not reach it before an orderly
 * stop.
 *
 * Its messages go directly to the file: a pipe would break if this process is killed and the server is not.
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
 * Watches a server that is not a child of this process, by polling it five times a second.
 *
 * The files that the server leaves tell how it ended: its pid file after a kill, a cluster marked as shut down after a
 * request.
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
    hasGivenUp: () => readPostmasterFile(clusterDir)?.pid !== pid && !isShutDown(clusterDir),
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

/** True while a process of the server replays the log after a crash. */
export function isRecovering({ pid }: RunningServer): boolean {
  return listChildren(pid).some((child) => /^postgres: startup\b/.test(processCommand(child)?.args[0] ?? ''));
}

/**
 * Kills the server and all its child processes. A child that hangs would hold the shared memory and block the next
 * server.
 *
 * The server goes first, because it would start new children.
 */
export function killServer(server: RunningServer): void {
  const children = listChildren(server.pid);
  server.signal('SIGKILL');
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}

/**
 * Ends the server: first orderly (it cuts sessions and writes everything out), then immediately (the next start replays
 * the log), then by SIGKILL. No step loses acknowledged data.
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

/** The file that a server writes into its cluster about itself. It exists while the server runs, and after a kill. */
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

/** True when the last server of the cluster shut down completely. */
function isShutDown(clusterDir: string): boolean {
  try {
    const state = readFileSync(join(clusterDir, 'global/pg_control')).readInt32LE(STATE_OFFSET);
    return state === STATE_SHUT_DOWN;
  } catch {
    return false;
  }
}

/** True when the process is a PostgreSQL server of this cluster, and not a process that got its pid later. */
export function servesCluster(pid: number, clusterDir: string): boolean {
  const command = processCommand(pid);
  if (command === undefined) return false;
  if (command.workingDir === undefined) return command.args.join(' ').includes(`/postgres -D ${clusterDir} `);
  // A session names itself `postgres: ...`; the server keeps the path that it was started with.
  return command.workingDir === clusterDir && basename(command.args[0] ?? '') === 'postgres';
}

/**
 * Replaces the pid in the file of an ended server by that of this process.
 *
 * Needed when another process has got the old pid, or the parent has not reaped the old server. PostgreSQL would take
 * that process for a running server and refuse to start, but it knows that its parent is not one. The rest of the file
 * stays: PostgreSQL uses it to detect sessions of the old server that still run.
 */
export function disownPostmasterFile(clusterDir: string): void {
  const path = join(clusterDir, 'postmaster.pid');
  const rest = readFileSync(path, 'utf8').split('\n').slice(1);
  const file = openSync(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  writeSync(file, [String(process.pid), ...rest].join('\n'));
  closeSync(file);
}
