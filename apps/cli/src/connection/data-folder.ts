import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, EXIT } from '../exit-code';
import type { Terminal } from '../terminal';

const DEFAULT_DATA_DIR = '.stratalog';
const TOKEN_FILE = 'operator-token';
const ADDRESS_FILE = 'address';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Address and token of a catalog on this machine, from its data folder. */
export interface LocalCatalog {
  /** Where it listens, or last did. */
  readonly server: URL;
  /** The operator's token; undefined when the catalog got it by a setting. */
  readonly token: string | undefined;
}

/** Reads the operator's token of a catalog on this machine. **Errors**: {@link CommandFailure} when there is none. */
export async function readOperatorToken(dataDir: string | undefined, terminal: Terminal): Promise<string> {
  const file = join(resolveFolder(dataDir, terminal), TOKEN_FILE);
  const token = await textIn(file);
  if (token !== undefined) return token;
  throw new CommandFailure(
    `there is no ${file}: a catalog makes it at its first start; name its data folder with --data-dir`,
    EXIT.rejected,
  );
}

/**
 * Returns the catalog of a data folder; undefined when the folder names none. An address of another machine is ignored: no folder may direct a token there.
 *
 * **Errors**: {@link CommandFailure} when `dataDir` is given and names none, or when a file cannot be read.
 */
export async function findLocalCatalog(
  dataDir: string | undefined,
  terminal: Terminal,
): Promise<LocalCatalog | undefined> {
  const folder = resolveFolder(dataDir, terminal);
  const address = await textIn(join(folder, ADDRESS_FILE));
  if (address !== undefined && URL.canParse(address)) {
    const server = new URL(address);
    if (LOOPBACK.test(server.hostname)) return { server, token: await textIn(join(folder, TOKEN_FILE)) };
  }
  if (dataDir === undefined) return undefined;
  throw new CommandFailure(
    `${folder} names no catalog on this machine: a catalog writes its address there when it is ready`,
    EXIT.usage,
  );
}

function resolveFolder(dataDir: string | undefined, { env }: Terminal): string {
  return dataDir ?? env.STRATALOG_DATA_DIR ?? DEFAULT_DATA_DIR;
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandFailure(`cannot read ${file}: ${message}`, EXIT.rejected);
  }
}
