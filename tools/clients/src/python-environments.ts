import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@stratalog/harness';
import { defaultCacheDir } from '@stratalog/local-stack';
import { onlyOne } from '../../bootstrap/workspace/only-one.mjs';

/** The newest release of the line that older installations use, and a current one. */
export const RELEASES = ['0.12.1.5', '1.7.0.17'] as const;

/** A virtual environment in which one release of the Python client is installed. */
export interface PythonEnvironment {
  readonly release: string;
  readonly folder: string;
}

export interface PrepareOptions {
  readonly releases?: readonly string[];
  readonly cacheDir?: string;
  /** One line per step, for people. */
  readonly log: (line: string) => void;
}

const HOW_TO_GET = 'Install Python 3.10 or later with venv (Debian, Ubuntu: apt-get install python3-venv)';
const ASK =
  'import sys, venv, ensurepip; assert sys.version_info >= (3, 10); print(sys.version, sys.executable, sep="; ")';
const SAID_LENGTH = 2_000;
const run = promisify(execFile);

/**
 * Returns an environment for each release, and creates missing ones. pip takes the listed packages from the
 * source that the machine's configuration names. Environments are kept in
 * `STRATALOG_CACHE_DIR` by their content.
 *
 * **Errors**: rejects with the required installation when Python is missing, and with pip's message when it
 * fails.
 */
export async function preparePythonEnvironments({
  releases = RELEASES,
  cacheDir = defaultCacheDir(),
  log,
}: PrepareOptions): Promise<readonly PythonEnvironment[]> {
  const python = await pythonVersion();
  return Promise.all(
    releases.map(async (release) => {
      const constraints = join(ROOT, 'tools/clients/environments', `acryl-datahub-${release}.txt`);
      const hash = createHash('sha256')
        .update(python)
        .update(readFileSync(constraints))
        .digest('hex')
        .slice(0, 12);
      const name = `acryl-datahub-${release}-${hash}`;
      const folder = join(cacheDir, 'clients', name);
      const wholeMark = join(folder, 'whole');
      const waiting = (pid: number): void => {
        log(`waiting for process ${pid}, which is installing acryl-datahub ${release}`);
      };
      if (!existsSync(wholeMark)) {
        await onlyOne(join(cacheDir, 'locks', name), waiting, async () => {
          if (existsSync(wholeMark)) return;
          const startedAt = Date.now();
          log(`installing acryl-datahub ${release} with pip; this takes a minute or two, once`);
          await install(folder, release, constraints);
          writeFileSync(wholeMark, '');
          log(`installed acryl-datahub ${release} in ${Math.round((Date.now() - startedAt) / 1000)} s`);
        });
      }
      return { release, folder };
    }),
  );
}

async function pythonVersion(): Promise<string> {
  try {
    return (await run('python3', ['-c', ASK])).stdout;
  } catch (error) {
    throw new Error(`python3 cannot be used. ${HOW_TO_GET}.`, { cause: error });
  }
}

/**
 * An environment contains its own path and cannot be moved, so an unfinished one is created again in its
 * place.
 */
async function install(folder: string, release: string, constraints: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const wanted = ['--requirement', constraints];
  try {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...wanted]);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const said = `${stdout}${stderr}`.trim().slice(-SAID_LENGTH);
    throw new Error(`acryl-datahub ${release} could not be installed: ${said}`, { cause: error });
  }
}
