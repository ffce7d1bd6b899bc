import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedServer } from '@stratalog/adapters-postgres';
import { startOf } from '../../../bootstrap/workspace/only-one.mjs';
import { endLeftServer } from './server-note';

/**
 * Named for the process that works in it, so that a later start knows whether it still does. Suites make
 * `test` ones.
 */
const FOLDER = /^stratalog-(?:stack|test)-(\d+)-/;

/** Makes a folder for data that are useless when this process has ended. */
export function makeThrowAway(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `stratalog-stack-${process.pid}-`)));
}

export function removeThrowAway(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/**
 * Stops and removes the leftovers of killed processes: every throw-away folder whose owner has ended. The
 * folder of a test run contains those of its suites; it stays as long as one of them is in use.
 */
export async function deleteThrowAways(parent = tmpdir()): Promise<void> {
  for (const name of readdirSync(parent)) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || startOf(Number(pid)) !== undefined) continue;
    const folder = join(parent, name);
    try {
      await deleteThrowAways(folder);
      if (readdirSync(folder).some((inner) => FOLDER.test(inner))) continue;
      await endLeftServer(folder);
      if (existsSync(join(folder, 'postgres', 'postmaster.pid'))) {
        const server = await openEmbeddedServer({ dataDir: folder, settings: { fsync: 'off' } });
        await server.stop();
      }
      removeThrowAway(folder);
    } catch {
      // Another process is removing it, or it belongs to another user.
    }
  }
}
