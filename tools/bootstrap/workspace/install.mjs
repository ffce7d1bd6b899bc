// Installs the npm packages when the installed ones differ from package-lock.json.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlyOne } from './only-one.mjs';
import { LOCKS, ROOT, say } from './workspace.mjs';

const STAMP = join(ROOT, 'node_modules', '.stratalog-installed.json');

/**
 * `runtime` is the set that the catalog and its command line need, and installs in a fourth of the time;
 * `all` adds the packages of tests and checks.
 */
export async function installIfNeeded(scope = 'all') {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Node 20.19 or later is needed; this is ${process.versions.node}`);
  }
  if (isInstalled(scope)) return;
  await onlyOne(
    join(LOCKS, 'install'),
    (pid) => say(`waiting for process ${pid}, which is installing`),
    () => {
      if (!isInstalled(scope)) install(scope);
    },
  );
}

function install(scope) {
  const command = commandFor(scope);
  say(`installing packages (npm ${command.join(' ')})`);
  // npm's output goes to stderr: stdout belongs to the command that follows.
  const npm = spawnSync('npm', [...command, '--prefer-offline'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (npm.error !== undefined) throw new Error(`npm could not be started: ${npm.error.message}`);
  if (npm.status !== 0) throw new Error(`npm failed (${npm.signal ?? npm.status}); its output is above`);
  writeStamp(scope);
}

function commandFor(scope) {
  if (scope === 'runtime') return ['ci', '--omit=dev'];
  // Only adds missing packages: a catalog that runs from this clone keeps its files.
  return isInstalled('runtime') ? ['install', '--no-save'] : ['ci'];
}

function isInstalled(scope) {
  const stamp = readJson(STAMP);
  if (stamp?.lock === lockHash() && (stamp.scope === scope || stamp.scope === 'all')) return true;
  if (!holdsWhatIsLocked(scope)) return false;
  writeStamp(scope);
  return true;
}

function writeStamp(scope) {
  writeFileSync(STAMP, JSON.stringify({ lock: lockHash(), scope }));
}

/** Compares with npm's own record of the installed packages, so that an install by hand counts. */
function holdsWhatIsLocked(scope) {
  const installed = readJson(join(ROOT, 'node_modules', '.package-lock.json'))?.packages;
  if (installed === undefined) return false;
  const locked = readJson(join(ROOT, 'package-lock.json')).packages;
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === '' || wanted.link || (scope === 'runtime' && (wanted.dev || wanted.devOptional)))
      return true;
    const found = installed[path];
    // Optional packages belong to other platforms.
    return found === undefined ? wanted.optional === true : found.version === wanted.version;
  });
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
