// Prepares the clone and runs a bundle in this very process.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, buildPagesBeside } from './build-if-needed.mjs';
import { installIfNeeded } from '../workspace/install.mjs';
import { DIST, WEB, say } from '../workspace/workspace.mjs';

/**
 * Installs and builds missing parts, then becomes the program. A second process would have to forward signals
 * and the exit code, and a kill would leave it behind. `starts` names bundles that the program itself runs;
 * `later` may name the web pages, which are then built while the program starts.
 */
export async function runBundle(name, scope, { starts = [], later = [] } = {}) {
  const file = join(DIST, `${name}.js`);
  try {
    await installIfNeeded(scope);
    await buildIfNeeded([name, ...starts], { later });
    if (!existsSync(file)) throw new Error(`there is no source for ${name}`);
  } catch (error) {
    say(error.message);
    process.exit(1);
  }
  if (later.includes(WEB)) buildPagesBeside();
  endWithNpm();
  process.setSourceMapsEnabled(true);
  process.argv[1] = file;
  await import(pathToFileURL(file).href);
}

/** Under `npm start`: a killed npm forwards no signal, so this process ends when npm does. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
