import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of one run: everything that the run leaves on the disk. */
export interface Workspace {
  readonly folder: string;
  readonly dataDir: string;
  /** What the catalog said on standard error, over all its runs. */
  readonly logFile: string;
}

export function makeWorkspace(): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stratalog-faults-')));
  return { folder, dataDir: join(folder, 'data'), logFile: join(folder, 'catalog.log') };
}

export function removeWorkspace({ folder }: Workspace): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
