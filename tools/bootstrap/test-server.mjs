// A throw-away PostgreSQL for a test run.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST } from './workspace.mjs';

export const SERVER_BUNDLE = 'tools/embedded-server';
/** The data is worth nothing after the run, so it need not survive a power cut. Here only. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' };
const FOLDER = /^stratalog-test-(\d+)-/;

/** Starts a server, when the bundle is built; suites make databases of their own in it. */
export async function startTestServer() {
  const { openEmbeddedServer } = await import(pathToFileURL(join(DIST, `${SERVER_BUNDLE}.js`)).href);
  await sweep(openEmbeddedServer);
  const dataDir = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-`));
  const server = await openEmbeddedServer({ dataDir, settings: SETTINGS });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Stops and removes what runs that were killed have left: every folder named for a process that is gone. */
async function sweep(openEmbeddedServer) {
  for (const name of readdirSync(tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const dataDir = join(tmpdir(), name);
    try {
      if (existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) {
        const server = await openEmbeddedServer({ dataDir, settings: SETTINGS });
        await server.stop();
      }
      rmSync(dataDir, { recursive: true, force: true });
    } catch {
      // Another run is sweeping it, or it is not ours to sweep.
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
