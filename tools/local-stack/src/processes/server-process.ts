import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The command of a server, and the sign that it is ready. */
export interface ServerCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly account?: { readonly uid: number; readonly gid: number };
  readonly logFile: string;
  /** Matches its log when it is ready. */
  readonly ready: RegExp;
}

export interface StartOptions {
  readonly onSpawned: (pid: number) => void;
  /** Cancels the start. */
  readonly signal?: AbortSignal | undefined;
}

export interface ServerProcess {
  readonly pid: number;
  /** The log's match that it is ready. */
  readonly ready: RegExpExecArray;
  /** Resolves with its exit code or signal when the process has ended. */
  readonly ended: Promise<string>;
  /** In order, and by force when it does not obey. */
  stop(): Promise<void>;
  /** `kill -9` of the server and its children. */
  kill(): Promise<void>;
}

/** Another process took a port between the check and the server's start. */
export class PortTakenError extends Error {}

const PORT_TAKEN = /Address already in use|BindException/;
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 30_000;
const POLL_MS = 25;
const SAID_LENGTH = 2_000;
/**
 * Lets the kernel signal a server when its owner ends in any way. Linux only; elsewhere the next start cleans
 * up.
 */
const SETPRIV = '/usr/bin/setpriv';

/**
 * Starts a server and resolves when it is ready.
 *
 * **Errors**: rejects with the end of its log when it ends before, or takes longer than two minutes; with
 * `PortTakenError` when a taken port is the cause; with the signal's reason.
 */
export async function startProcess(
  command: ServerCommand,
  { onSpawned, signal: abort }: StartOptions,
): Promise<ServerProcess> {
  const logFrom = statSync(command.logFile, { throwIfNoEntry: false })?.size ?? 0;
  const child = spawnServer(command);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command.name} did not start: ${await ended}`);
  onSpawned(pid);
  let end: string | undefined;
  void ended.then((how) => (end = how));
  const isGone = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const signal = (target: number, name: NodeJS.Signals): void => {
    if (!isGone()) process.kill(target, name);
  };
  const atExit = (): void => {
    signal(pid, 'SIGTERM');
  };
  process.once('exit', atExit);
  void ended.then(() => process.removeListener('exit', atExit));

  const kill = async (): Promise<void> => {
    child.ref();
    signal(-pid, 'SIGKILL');
    await ended;
  };
  const stop = async (): Promise<void> => {
    child.ref();
    signal(pid, 'SIGTERM');
    const timer = setTimeout(() => {
      signal(-pid, 'SIGKILL');
    }, STOP_LIMIT_MS);
    await ended;
    clearTimeout(timer);
  };
  const said = (): string => readFileSync(command.logFile).subarray(logFrom).toString();
  for (const until = Date.now() + READY_LIMIT_MS; Date.now() < until && abort?.aborted !== true;) {
    const ready = command.ready.exec(said());
    if (ready !== null) return { pid, ready, ended, stop, kill };
    if (end !== undefined) break;
    await pause(POLL_MS);
  }
  const how = end ?? `not ready after ${READY_LIMIT_MS / 1000} s`;
  await kill();
  abort?.throwIfAborted();
  const words = said();
  const message = `${command.name} did not start (${how}). It said: ${words.trim().slice(-SAID_LENGTH)}`;
  throw PORT_TAKEN.test(words) ? new PortTakenError(message) : new Error(message);
}

/**
 * In a process group of its own, so that a Ctrl-C in the terminal does not reach it before the orderly stop.
 * Its output goes straight into the file: a pipe would break when this process is killed.
 */
function spawnServer(command: ServerCommand): ChildProcess {
  const log = openSync(command.logFile, 'a');
  const guard = process.platform === 'linux' && existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'TERM'] : [];
  const [file = command.command, ...args] = [...guard, command.command, ...command.args];
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ...command.env },
    ...command.account,
  });
  closeSync(log);
  // A process that forgets to stop it can end nevertheless, and the server ends then too.
  child.unref();
  return child;
}
