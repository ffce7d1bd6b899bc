// Runs jest on ESM: `node tools/bootstrap/jest.mjs [jest arguments]`. When a suite among those asked for needs a database,
// and STRATALOG_TEST_DATABASE_URL names none, a throw-away server runs as long as jest does.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer } from './test-server.mjs';
import { ROOT } from './workspace.mjs';

const NEEDS_DATABASE = /\.(int|e2e)\.spec\.ts$/;

/** Resolves with jest's exit code and its counts (`passed`, `failed`, `skipped`), if it came to counting. */
export async function runJest(args) {
  const files = mkdtempSync(join(tmpdir(), 'stratalog-jest-'));
  const reportFile = join(files, 'report.json');
  const env = {
    ...process.env,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--no-warnings']
      .filter(Boolean)
      .join(' '),
    STRATALOG_TEST_REPORT_FILE: reportFile,
    STRATALOG_NOT_RUN_FILE: join(files, 'not-run.txt'),
  };
  let server;
  try {
    if (env.STRATALOG_TEST_DATABASE_URL === undefined && needsDatabase(args, env)) {
      server = await startTestServer();
      env.STRATALOG_TEST_DATABASE_URL = server.url;
    }
    const code = await jest(args, env);
    const counts = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
    return { code, counts };
  } finally {
    await server?.stop();
    rmSync(files, { recursive: true, force: true });
  }
}

function jestCommand(args) {
  return [createRequire(import.meta.url).resolve('jest/bin/jest'), ...args];
}

function needsDatabase(args, env) {
  const listed = spawnSync(process.execPath, jestCommand([...args, '--listTests']), {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return listed.stdout.split('\n').some((file) => NEEDS_DATABASE.test(file));
}

async function jest(args, env) {
  const child = spawn(process.execPath, jestCommand(args), { cwd: ROOT, env, stdio: 'inherit' });
  // We stay until jest has ended, because the server is ours. A Ctrl-C reaches jest by itself.
  const onInterrupt = () => undefined;
  const onTerminate = () => child.kill('SIGTERM');
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject).once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
  }
}

if (process.argv[1] === import.meta.filename) {
  const { code } = await runJest(process.argv.slice(2));
  process.exitCode = code;
}
