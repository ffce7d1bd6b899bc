// Runs jest on ESM, with the servers that the requested suites need and the environment does not name.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildPackagesIfNeeded } from '../build/build-if-needed.mjs';
import { chooseTemporaryFolder } from './temporary-folder.mjs';
import { noteLeftOut, startTestServices } from './test-services.mjs';
import { suitesOfTarget } from './test-targets.mjs';
import { measureSlowness } from './time-scale.mjs';
import { ROOT, say } from '../workspace/workspace.mjs';

/**
 * Runs the suites of `target` that jest's arguments select. Resolves with jest's exit code, its counts
 * (`passed`, `failed`, `skipped`) if there are any, and the number of suites that were left out for want of a
 * server.
 */
export async function runJest(args, { target = 'all' } = {}) {
  const kept = tmpdir();
  // The servers of this process follow it too.
  process.env.TMPDIR = chooseTemporaryFolder();
  // The run removes this folder with all temporary files of its suites and servers. The name tells a later
  // run which process owned it.
  const files = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-run-`));
  // Servers that refuse to run as root run as another user, and must reach their folders in it.
  chmodSync(files, 0o711);
  const reportFile = join(files, 'report.json');
  const env = {
    ...process.env,
    TMPDIR: files,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--no-warnings']
      .filter(Boolean)
      .join(' '),
    STRATALOG_TEST_REPORT_FILE: reportFile,
    STRATALOG_NOT_RUN_FILE: join(files, 'not-run.txt'),
    STRATALOG_TEST_SLOWNESS: process.env.STRATALOG_TEST_SLOWNESS ?? measureSlowness().toFixed(2),
  };
  let services;
  try {
    await buildPackagesIfNeeded();
    say(`finding suites; this machine takes ${env.STRATALOG_TEST_SLOWNESS} of the reference machine's time`);
    const asked = suitesAskedFor(args, env);
    const chosen = suitesOfTarget(asked, target);
    services = await startTestServices(chosen, env);
    const { leftOut } = services;
    noteLeftOut(leftOut, env.STRATALOG_NOT_RUN_FILE);
    const isChosen = new Set(chosen);
    const ignored = [...asked.filter((suite) => !isChosen.has(suite)), ...leftOut.map(({ suite }) => suite)];
    const code = await jest([...args, ...withoutSuites(ignored)], { ...env, ...services.env });
    const counts = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
    // Counts like a service that a suite itself declares as missing: see ../jest/not-run.mjs.
    const isFault = process.env.CI === 'true' && leftOut.length > 0;
    return { code: isFault && code === 0 ? 1 : code, counts, leftOut: leftOut.length };
  } finally {
    await services?.stop();
    keepEvidence(files, kept);
    rmSync(files, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Keeps the evidence of the fault tests about a broken promise beyond the folder of the test run, on a disk. */
function keepEvidence(files, folder) {
  for (const name of readdirSync(files).filter((name) => name.startsWith('stratalog-faults-violation-'))) {
    cpSync(join(files, name), join(folder, name), { recursive: true });
    say(`what a fault test found is kept in ${join(folder, name)}`);
  }
}

/** Only suites that ran can fail; the names of those left out show that none ran. */
function withoutSuites(suites) {
  if (suites.length === 0) return [];
  const patterns = suites.map((suite) => `^${suite.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
  return ['--passWithNoTests', ...patterns.map((pattern) => `--testPathIgnorePatterns=${pattern}`)];
}

function jestCommand(args) {
  return [createRequire(import.meta.url).resolve('jest/bin/jest'), ...args];
}

function suitesAskedFor(args, env) {
  const listed = spawnSync(process.execPath, jestCommand([...args, '--listTests']), {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return listed.stdout.split('\n').filter((file) => file.endsWith('.spec.ts'));
}

/** Jest passes this option on to the processes that run its suites. */
const END_WITH_OWNER = `--import=${pathToFileURL(join(import.meta.dirname, '../jest/end-with-owner.mjs')).href}`;

async function jest(args, env) {
  const child = spawn(process.execPath, [END_WITH_OWNER, ...jestCommand(args)], {
    cwd: ROOT,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // This process stays until jest has ended, because it owns the servers. A Ctrl-C reaches jest by itself.
  const onInterrupt = () => undefined;
  const onTerminate = () => child.kill('SIGTERM');
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate).on('SIGHUP', onTerminate);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate).off('SIGHUP', onTerminate);
  }
}
