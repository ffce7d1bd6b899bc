// Runs jest on ESM: `node tools/bootstrap/jest.mjs [jest arguments]`. The servers that the suites among those asked for need,
// and that the environment does not name, run as long as jest does.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { noteLeftOut, startTestServices } from './test-services.mjs';
import { suitesOfTarget } from './test-targets.mjs';
import { measureSlowness } from './time-scale.mjs';
import { ROOT, say } from './workspace.mjs';

/**
 * Runs the suites of `target` among those that the arguments of jest ask for. Resolves with jest's exit code, its counts (`passed`, `failed`,
 * `skipped`) if it came to counting, and the number of suites that were left out because a server could not be had.
 */
export async function runJest(args, { target = 'all' } = {}) {
  // Everything that a suite or server of this run leaves in the temporary folder goes with it. The name tells a later run whose it was.
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
    // Like what a suite itself declares as missing: see jest-not-run.mjs.
    const isFault = process.env.CI === 'true' && leftOut.length > 0;
    return { code: isFault && code === 0 ? 1 : code, counts, leftOut: leftOut.length };
  } finally {
    await services?.stop();
    keepEvidence(files);
    rmSync(files, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** What the fault tests keep of a run that broke a promise outlives the folder of the test run. */
function keepEvidence(files) {
  for (const name of readdirSync(files).filter((name) => name.startsWith('stratalog-faults-violation-'))) {
    renameSync(join(files, name), join(tmpdir(), name));
    say(`what a fault test found is kept in ${join(tmpdir(), name)}`);
  }
}

/** Only what ran can fail; that nothing ran at all is said by the names of what was left out. */
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

/** Jest gives this option on to the processes that run its suites. */
const END_WITH_OWNER = `--import=${pathToFileURL(join(import.meta.dirname, 'end-with-owner.mjs')).href}`;

async function jest(args, env) {
  const child = spawn(process.execPath, [END_WITH_OWNER, ...jestCommand(args)], {
    cwd: ROOT,
    env,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // We stay until jest has ended, because the server is ours. A Ctrl-C reaches jest by itself.
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

if (process.argv[1] === import.meta.filename) {
  const { code } = await runJest(process.argv.slice(2));
  process.exitCode = code;
}
