import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file that names the address of the data folder's catalog, for the command line on the same machine. */
const ADDRESS_FILE = 'address';

/**
 * Writes the address of a catalog that listens into its data folder, if it has one. A wildcard is written as the loopback address. A stopped
 * catalog leaves the file there.
 */
export function writeAddress(dataDir: string, url: string): void {
  if (!existsSync(dataDir)) return;
  const address = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  writeFileSync(join(dataDir, ADDRESS_FILE), `${address}\n`, { mode: 0o600 });
}
