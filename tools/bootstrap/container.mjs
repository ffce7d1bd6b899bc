#!/usr/bin/env node
// The image's entry point, `stratalog` in a container: the first argument is the role, the others are the
// program's. `stratalog healthcheck` asks the running program whether it is live.
import { existsSync, realpathSync } from 'node:fs';
import { get } from 'node:http';
import { get as getTls } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DIST, say } from './workspace/workspace.mjs';

export const ROLES = ['standalone', 'ingest', 'writer', 'indexer', 'query', 'graph', 'admin', 'proxy', 'cli'];

/**
 * Returns the bundle that `args` request, and its arguments; options without a role are those of the
 * standalone catalog.
 */
export function programFor(args) {
  const [first = 'standalone', ...rest] = args;
  if (first.startsWith('-')) return { role: 'standalone', args };
  return ROLES.includes(first)
    ? { role: first, args: rest }
    : { fault: `"${first}" is no role; allowed: ${ROLES.join(', ')}` };
}

/** Every app listens within this time, or is hung. */
const LIVE_LIMIT_MS = 4_000;

/**
 * Resolves with whether the process of this container is live, asked at the address and by the protocol of its settings. The certificate is
 * for the name that clients use.
 */
function askLive({
  STRATALOG_HOST: host = '',
  STRATALOG_PORT: port = '',
  STRATALOG_TLS_CERT_FILE: tls = '',
}) {
  const hostname = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const path = '/health/live';
  const options = { hostname, port: port || '8080', path, rejectUnauthorized: false, timeout: LIVE_LIMIT_MS };
  return new Promise((resolve) => {
    const asked = (tls === '' ? get : getTls)(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', () => resolve(false));
  });
}

/** Becomes the program, so that the container engine's signals reach it directly. */
async function main() {
  if (process.argv[2] === 'healthcheck') {
    process.exitCode = (await askLive(process.env)) ? 0 : 1;
    return;
  }
  const { role, args, fault } = programFor(process.argv.slice(2));
  const file = join(DIST, `apps/${role}/main.js`);
  if (fault !== undefined || !existsSync(file)) {
    say(fault ?? `there is no ${file}`);
    process.exitCode = 2;
    return;
  }
  process.setSourceMapsEnabled(true);
  process.argv = [process.argv[0], file, ...args];
  await import(pathToFileURL(file).href);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await main();
