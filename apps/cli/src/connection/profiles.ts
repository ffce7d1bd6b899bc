import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject } from '@stratalog/json';
import { CommandFailure, EXIT } from '../exit-code';
import { prettyJson } from '../output/pretty-json';
import type { Terminal } from '../terminal';

/** A catalog with a name that the user chose. */
export interface Profile {
  readonly server: string;
  readonly token?: string;
}

/** The user's file of profiles. */
export interface Profiles {
  /** The profile to use when none is named. */
  readonly default?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NONE: Profiles = { profiles: {} };

/** Returns the path of the user's profiles; undefined when the user has no home folder and names no file. */
export function profilesPath({ env }: Pick<Terminal, 'env'>): string | undefined {
  const named = env.STRATALOG_CLI_CONFIG;
  if (named !== undefined && named !== '') return named;
  const home = env.HOME ?? env.USERPROFILE;
  const config = env.XDG_CONFIG_HOME ?? (home === undefined ? undefined : join(home, '.config'));
  return config === undefined ? undefined : join(config, 'stratalog', 'config.json');
}

/**
 * Reads the profiles; a missing file has none. **Errors**: {@link CommandFailure} when the file has another
 * form than `init` writes.
 */
export async function readProfiles(terminal: Pick<Terminal, 'env' | 'stderr'>): Promise<Profiles> {
  const path = profilesPath(terminal);
  const text = path === undefined ? undefined : await textIn(path);
  if (path === undefined || text === undefined) return NONE;
  const file = parsed(text);
  const profiles = isJsonObject(file?.profiles) ? file.profiles : undefined;
  if (file === undefined || profiles === undefined) {
    throw new CommandFailure(`${path} is not what "init" writes: {"profiles": {…}}`, EXIT.usage);
  }
  const read = Object.entries(profiles).map(([name, value]) => [name, profileIn(path, name, value)] as const);
  if (read.some(([, { token }]) => token !== undefined)) await warnIfOpen(path, terminal);
  return {
    profiles: Object.fromEntries(read),
    ...(typeof file.default === 'string' ? { default: file.default } : {}),
  };
}

/** Writes the profiles atomically, readable by the user alone. */
export async function writeProfiles(path: string, profiles: Profiles): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const next = `${path}.${String(process.pid)}`;
    const file: JsonObject = {
      ...(profiles.default === undefined ? {} : { default: profiles.default }),
      profiles: Object.fromEntries(
        Object.entries(profiles.profiles).map(([name, one]) => [name, { ...one }]),
      ),
    };
    await writeFile(next, `${prettyJson(file)}\n`, { mode: 0o600 });
    await chmod(next, 0o600);
    await rename(next, path);
  } catch (error) {
    throw new CommandFailure(`cannot write ${path}: ${(error as Error).message}`, EXIT.usage);
  }
}

async function textIn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandFailure(`cannot read ${path}: ${(error as Error).message}`, EXIT.usage);
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const file = parseJson(text);
    return isJsonObject(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

function profileIn(path: string, name: string, value: unknown): Profile {
  const { server, token } = isJsonObject(value) ? value : {};
  if (typeof server !== 'string' || (token !== undefined && typeof token !== 'string')) {
    throw new CommandFailure(
      `${path}: the profile "${name}" has no text "server", or a "token" that is no text`,
      EXIT.usage,
    );
  }
  return token === undefined ? { server } : { server, token };
}

async function warnIfOpen(path: string, { stderr }: Pick<Terminal, 'stderr'>): Promise<void> {
  if (process.platform === 'win32' || ((await stat(path)).mode & 0o077) === 0) return;
  stderr.write(`${path} holds a token and others can read it: chmod 600 ${path}\n`);
}
