import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultCacheDir, type FetchOptions } from './maven-artifacts';
import { endLeftServer, forgetServer, noteServer } from './server-note';
import { makeThrowAway, removeThrowAway, deleteThrowAways } from './throw-away';
import { PortTakenError, startProcess, type ServerCommand, type ServerProcess } from './server-process';

export interface ServerOptions {
  /** Keeps the data for a later start; without it they are deleted at the stop. */
  readonly dataDir?: string;
  /** The folder of fetched programs; `defaultCacheDir` without it. */
  readonly cacheDir?: string;
  /** Optimised for minutes and hours rather than for a quick start. */
  readonly isLongLived?: boolean;
  /** One line per step, for people. */
  readonly log?: (line: string) => void;
  /** Cancels the start; without effect afterwards. */
  readonly signal?: AbortSignal;
}

/** A server as a child process. Its address stays the same over restarts. */
export interface RunningServer {
  /** Of the current process; it changes at a restart. */
  readonly pid: number;
  /** In order; throw-away data are deleted afterwards. Further calls wait for the same end. */
  stop(): Promise<void>;
  /** `kill -9`. The data stay, for `restart`. */
  kill(): Promise<void>;
  /** Starts it again on the same data and address, after an orderly stop unless it has ended already. */
  restart(): Promise<void>;
  /** Calls `listener` when the server ends without `stop`, `kill` or `restart`. */
  onExit(listener: (reason: string) => void): void;
}

/** The parts of a kind of server, made when its folder and the cache are known. */
export interface Launch {
  /** Made again for each start. */
  readonly command: () => ServerCommand;
  /** Checks whether the running server is ready; rejects when it is not. */
  readonly check?: (process: ServerProcess) => Promise<void>;
  readonly afterStop?: () => void;
}

export interface ServerPlace extends FetchOptions {
  readonly folder: string;
  readonly isLongLived: boolean;
}

const PORT_ATTEMPTS = 3;

/**
 * Starts a server in a folder of its own, after ending the leftovers of a killed process.
 *
 * **Errors**: rejects when the folder is in use by a living process, or the server does not start.
 */
export async function openServer<T>(
  name: string,
  {
    dataDir,
    cacheDir = defaultCacheDir(),
    isLongLived = false,
    log = () => undefined,
    signal,
  }: ServerOptions,
  prepare: (place: ServerPlace) => Promise<Launch & { readonly facts: T }>,
): Promise<RunningServer & T> {
  await deleteThrowAways();
  mkdirSync(cacheDir, { recursive: true });
  const folder = dataDir === undefined ? makeThrowAway() : join(resolve(dataDir), name);
  const discard = (): void => {
    if (dataDir === undefined) removeThrowAway(folder);
  };
  try {
    mkdirSync(folder, { recursive: true });
    await endLeftServer(folder);
    const { launch, process } = await startPrepared({ folder, cacheDir, isLongLived, log, signal }, prepare);
    return Object.assign(supervised(folder, launch, process, discard), launch.facts);
  } catch (error) {
    discard();
    throw error;
  }
}

/** Prepares again, with other ports, when another process took one meanwhile. */
async function startPrepared<T extends Launch>(
  place: ServerPlace,
  prepare: (place: ServerPlace) => Promise<T>,
): Promise<{ launch: T; process: ServerProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const launch = await prepare(place);
    try {
      return { launch, process: await start(place.folder, launch, place.signal) };
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function start(
  folder: string,
  { command, check }: Launch,
  signal?: AbortSignal,
): Promise<ServerProcess> {
  signal?.throwIfAborted();
  const onSpawned = (pid: number): void => {
    noteServer(folder, pid);
  };
  const started = await startProcess(command(), { onSpawned, signal });
  try {
    await check?.(started);
    return started;
  } catch (error) {
    await started.kill();
    forgetServer(folder);
    throw error;
  }
}

function supervised(
  folder: string,
  launch: Launch,
  first: ServerProcess,
  discard: () => void,
): RunningServer {
  let current = first;
  let expected: ServerProcess | undefined;
  let stopping: Promise<void> | undefined;
  const listeners: ((reason: string) => void)[] = [];
  const watch = (process: ServerProcess): void => {
    void process.ended.then((how) => {
      if (expected !== process) for (const listener of listeners) listener(how);
    });
  };
  const end = async (how: 'stop' | 'kill'): Promise<void> => {
    expected = current;
    await current[how]();
    forgetServer(folder);
    if (how === 'stop') launch.afterStop?.();
  };
  watch(first);
  return {
    get pid() {
      return current.pid;
    },
    stop: () =>
      (stopping ??= end('stop').then(() => {
        discard();
      })),
    kill: () => end('kill'),
    restart: async () => {
      if (stopping !== undefined) throw new Error('it has been stopped for good');
      await end('stop');
      current = await start(folder, launch);
      watch(current);
    },
    onExit: (listener) => {
      listeners.push(listener);
    },
  };
}
