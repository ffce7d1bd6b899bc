// Installs the npm packages when what is there is not what package-lock.json asks for.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onlyOne } from './only-one.mjs';
import { LOCKS, ROOT, say } from './workspace.mjs';

const STAMP = join(ROOT, 'node_modules', '.stratalog-lock-hash');

export async function installIfNeeded() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Node 20.19 or later is needed; this is ${process.versions.node}`);
  }
  if (isInstalled()) return;
  await onlyOne(
    join(LOCKS, 'install'),
    (pid) => say(`waiting for process ${pid}, which is installing`),
    () => {
      if (isInstalled()) return;
      say('installing packages (npm ci)');
      // What npm says goes to stderr: stdout belongs to the command that is being prepared.
      const npm = spawnSync('npm', ['ci', '--prefer-offline'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
      if (npm.error !== undefined) throw new Error(`npm could not be started: ${npm.error.message}`);
      if (npm.status !== 0)
        throw new Error(`npm ci failed (${npm.signal ?? npm.status}); its output is above`);
      writeFileSync(STAMP, lockHash());
    },
  );
}

function isInstalled() {
  if (read(STAMP) === lockHash()) return true;
  if (!holdsWhatIsLocked()) return false;
  writeFileSync(STAMP, lockHash());
  return true;
}

/** Compares with npm's own record of what it put there, so that an install by hand counts. */
function holdsWhatIsLocked() {
  const record = read(join(ROOT, 'node_modules', '.package-lock.json'));
  if (record === undefined) return false;
  const installed = JSON.parse(record).packages;
  const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(([path, wanted]) => {
    if (path === '' || wanted.link) return true;
    const found = installed[path];
    // Optional packages are those of other platforms.
    return found === undefined ? wanted.optional === true : found.version === wanted.version;
  });
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
