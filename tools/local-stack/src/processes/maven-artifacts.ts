import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { onlyOne } from '../../../bootstrap/workspace/only-one.mjs';

/**
 * The programs of the servers, fetched once by Maven and cached by coordinates. A folder of the cache appears
 * whole, by a rename, and never changes afterwards; one process at a time fetches it.
 */
export interface Artifacts {
  readonly name: string;
  /** `group:artifact:version`, and `:zip` at the end for a distribution that is unpacked. */
  readonly coordinates: readonly string[];
}

export interface FetchOptions {
  readonly cacheDir: string;
  /** One line per step, for people. */
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const SAID_LENGTH = 2_000;
const run = promisify(execFile);

/**
 * Returns `STRATALOG_CACHE_DIR`, else the user's cache. For root it lies outside of root's home: a server
 * that refuses to run as root must be able to read it.
 */
export function defaultCacheDir(): string {
  const { STRATALOG_CACHE_DIR: given, XDG_CACHE_HOME: userCache } = process.env;
  if (given !== undefined && given !== '') return resolve(given);
  if (process.getuid?.() === 0) return '/var/cache/stratalog';
  return join(
    userCache === undefined || userCache === '' ? join(homedir(), '.cache') : userCache,
    'stratalog',
  );
}

/** Returns the class path of jars with their dependencies, in a stable order. */
export async function resolveClassPath(artifacts: Artifacts, options: FetchOptions): Promise<string> {
  const folder = await fetched(artifacts, options, (draft) => {
    const pom = join(draft, 'pom.xml');
    writeFileSync(pom, pomOf(artifacts));
    return ['-f', pom, `${PLUGIN}:copy-dependencies`, '-DincludeScope=runtime'];
  });
  const jars = readdirSync(folder).filter((name) => name.endsWith('.jar'));
  return jars
    .sort()
    .map((name) => join(folder, name))
    .join(delimiter);
}

/** Returns the folder of an unpacked distribution, readable by every user of the machine. */
export async function computeDistribution(artifacts: Artifacts, options: FetchOptions): Promise<string> {
  const folder = await fetched(artifacts, options, () => [
    `${PLUGIN}:unpack`,
    `-Dartifact=${artifacts.coordinates.join()}`,
  ]);
  const [root, ...others] = readdirSync(folder);
  if (root === undefined || others.length > 0) throw new Error(`${folder} does not hold one distribution`);
  return join(folder, root);
}

async function fetched(
  artifacts: Artifacts,
  { cacheDir, log, signal }: FetchOptions,
  goalOf: (draft: string) => readonly string[],
): Promise<string> {
  const { name, coordinates } = artifacts;
  const hash = createHash('sha256').update(coordinates.join('\n')).digest('hex').slice(0, 12);
  const folder = join(cacheDir, 'servers', `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  const waiting = (pid: number): void => {
    log(`waiting for process ${pid}, which is fetching ${name}`);
  };
  await onlyOne(join(cacheDir, 'locks', `${name}-${hash}`), waiting, async () => {
    if (existsSync(folder)) return;
    log(`fetching ${name} with Maven (${coordinates.join(', ')})`);
    const draft = `${folder}.draft`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(join(draft, 'files'), { recursive: true });
    const args = [...goalOf(draft), `-DoutputDirectory=${join(draft, 'files')}`];
    // Maven leaves files in its working folder.
    await maven(name, args, { cwd: draft, signal });
    // Maven keeps the modes of the archive, which may exclude other users.
    await run('chmod', ['-R', 'a+rX', draft]);
    renameSync(join(draft, 'files'), folder);
    rmSync(draft, { recursive: true, force: true });
  });
  return folder;
}

interface MavenRun {
  readonly cwd: string;
  readonly signal: AbortSignal | undefined;
}

async function maven(name: string, args: readonly string[], { cwd, signal }: MavenRun): Promise<void> {
  try {
    await run('mvn', ['--batch-mode', '--quiet', ...args], { cwd, signal });
  } catch (error) {
    signal?.throwIfAborted();
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    if (code === 'ENOENT') {
      throw new Error('mvn cannot be run. Install Maven (Debian, Ubuntu: apt-get install maven).', {
        cause: error,
      });
    }
    throw new Error(`Maven could not fetch ${name}: ${(stdout ?? '').trim().slice(0, SAID_LENGTH)}`, {
      cause: error,
    });
  }
}

function pomOf({ name, coordinates }: Artifacts): string {
  const dependencies = coordinates.map((coordinate) => {
    const [group = '', artifact = '', version = ''] = coordinate.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>stratalog.local-stack</groupId>
  <artifactId>${name}</artifactId>
  <version>1</version>
  <dependencies>${dependencies.join('')}</dependencies>
</project>
`;
}
