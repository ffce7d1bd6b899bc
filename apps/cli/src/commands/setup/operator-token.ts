import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, EXIT } from '../../exit-code';
import type { Terminal } from '../../terminal';

const DEFAULT_DATA_DIR = '.stratalog';
const TOKEN_FILE = 'operator-token';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Reads the operator's token of a catalog on this machine. **Errors**: {@link CommandFailure} when there is none. */
export async function readOperatorToken(dataDir: string | undefined, terminal: Terminal): Promise<string> {
  const file = join(dataDir ?? terminal.env.STRATALOG_DATA_DIR ?? DEFAULT_DATA_DIR, TOKEN_FILE);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      code === 'ENOENT'
        ? `there is no ${file}: a catalog makes it at its first start; name its data folder with --data-dir`
        : `cannot read the token: ${message}`,
      EXIT.rejected,
    );
  }
}

/** Makes the fallback for calls to a catalog on this machine: its operator's token, which no other machine gets. */
export function operatorTokenFor(dataDir: string | undefined, terminal: Terminal) {
  return (server: URL): Promise<string | undefined> =>
    LOOPBACK.test(server.hostname) ? readOperatorToken(dataDir, terminal) : Promise.resolve(undefined);
}
