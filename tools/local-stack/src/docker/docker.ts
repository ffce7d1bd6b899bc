import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { portsOf } from '../processes/free-ports';
import {
  openServer,
  type RunningServer,
  type ServerOptions,
  type ServerPlace,
} from '../processes/running-server';
import type { ServerProcess } from '../processes/server-process';

/** A server as its makers publish it for Docker. */
export interface Container {
  readonly image: string;
  /** Inside the container. */
  readonly port: number;
  /** The path of its data, inside. */
  readonly dataPath: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Options of `docker run`. */
  readonly options?: readonly string[];
  /** The command, where it differs from the image's default. */
  readonly command?: readonly string[];
  /** Matches its log when it is ready, or at least has started. */
  readonly ready: RegExp;
  /** Checks whether it is ready; rejects when it is not. */
  readonly check?: (process: ServerProcess) => Promise<void>;
}

const LIMIT_MS = 10_000;
/** The time to fetch an image of a gigabyte over a slow line. */
const PULL_LIMIT_MS = 1_800_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

const run = promisify(execFile);

/** Runs a short command; returns its output. **Errors**: rejects with its error output. */
export async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('docker', args, { timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT_BYTES });
  return stdout.trim();
}

/** True when an engine that runs Linux containers answers; the command alone is not enough. */
export async function hasDocker(): Promise<boolean> {
  try {
    return (await docker('version', '--format', '{{.Server.Os}}')) === 'linux';
  } catch {
    return false;
  }
}

/**
 * Runs a server in a container whose port is published on 127.0.0.1 only. The `docker run` command represents
 * the server's process: it forwards signals, and the container is removed when it ends. Kept data lie in a
 * volume with the name of the container.
 *
 * **Errors**: rejects with Docker's message when the image is unavailable, and as `openServer` does.
 */
export function startContainer(
  kind: string,
  options: ServerOptions,
  containerAt: (port: number, place: ServerPlace) => Container,
): Promise<RunningServer & { readonly port: number }> {
  return openServer(kind, options, async (place) => {
    const [port = 0] = await portsOf(place.folder, 1);
    const container = containerAt(port, place);
    const name = containerName(kind, place.folder);
    // Its owner may have been killed together with the command.
    await docker('rm', '--force', '--volumes', name).catch(() => undefined);
    await fetchImage(container.image, place);
    const volume = options.dataDir === undefined ? [] : ['--volume', `${name}:${container.dataPath}`];
    return {
      facts: { port },
      command: () => ({
        name: `${container.image} in Docker`,
        command: 'docker',
        args: [
          ...['run', '--rm', '--name', name, '--label', 'stratalog=local-stack', ...volume],
          ...['--publish', `127.0.0.1:${port}:${container.port}`, ...(container.options ?? [])],
          // Without their values, which every user of the machine could read there.
          ...Object.keys(container.environment).flatMap((variable) => ['--env', variable]),
          ...[container.image, ...(container.command ?? [])],
        ],
        env: container.environment,
        logFile: join(place.folder, `${kind}.log`),
        ready: container.ready,
      }),
      ...(container.check === undefined ? {} : { check: container.check }),
    };
  });
}

/** Returns the same name for the same folder, so that a later start finds its data. */
export function containerName(kind: string, folder: string): string {
  return `stratalog-${kind}-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
}

async function fetchImage(image: string, { log, signal }: ServerPlace): Promise<void> {
  const isThere = await docker('image', 'inspect', image).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  log(`fetching the image ${image}; the first time takes minutes`);
  signal?.throwIfAborted();
  try {
    await run('docker', ['pull', '--quiet', image], { timeout: PULL_LIMIT_MS, ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    const said = (error as { stderr?: string }).stderr?.trim() ?? String(error);
    throw new Error(`Docker could not fetch ${image}: ${said}`, { cause: error });
  }
}
