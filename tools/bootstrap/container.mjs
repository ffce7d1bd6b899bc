#!/usr/bin/env node
// The image's entry point, `stratalog` in a container: the first argument is the role, the others are the
// program's.
import { existsSync, realpathSync } from 'node:fs';
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

/** Becomes the program, so that the container engine's signals reach it directly. */
async function main() {
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
