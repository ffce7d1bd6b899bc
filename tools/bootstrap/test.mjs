// `npm test`: everything. `npm test -- <pattern>`: only the suites whose path matches.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildIfNeeded } from './build.mjs';
import { installIfNeeded } from './install.mjs';
import { ROOT, say } from './workspace.mjs';

/** The lint rule about module boundaries reads the project graph, which nx makes. No daemon: nothing is left running. */
const CHECKS = [
  { name: 'format', steps: [['prettier', '--check', '--log-level=warn', '.']] },
  {
    name: 'lint',
    steps: [
      ['nx', 'show', 'projects'],
      ['eslint', '.'],
    ],
  },
  { name: 'types', steps: [['tsc', '--noEmit', '-p', 'tsconfig.json']] },
];

const args = process.argv.slice(2);
let counts;
let failed = true;
try {
  await installIfNeeded();
  await buildIfNeeded();
  const checksFailed = args.length === 0 && !runChecks();
  // Only now: what it imports may have been installed a moment ago.
  const { runJest } = await import('./jest.mjs');
  const run = await runJest(args);
  counts = run.counts;
  failed = checksFailed || run.code !== 0;
} catch (error) {
  say(error.stack);
}
const { passed, failed: failures, skipped } = counts ?? { passed: 0, failed: 1, skipped: 0 };
console.log(`Tests: ${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed || failures > 0 ? 1 : 0;

function runChecks() {
  const results = CHECKS.map(({ name, steps }) => {
    const startedAt = Date.now();
    const ok = steps.every((step) => runTool(step));
    return {
      ok,
      line: `${name} ${ok ? 'ok' : 'FAILED (see above)'} in ${Math.round((Date.now() - startedAt) / 1000)} s`,
    };
  });
  say(`checks: ${results.map((result) => result.line).join(', ')}`);
  return results.every((result) => result.ok);
}

/** Finds a package's own program, so that it need not be on the PATH. */
function runTool([name, ...toolArgs]) {
  const packageName = name === 'tsc' ? 'typescript' : name;
  const require = createRequire(import.meta.url);
  const manifest = join(ROOT, 'node_modules', packageName, 'package.json');
  const { bin } = require(manifest);
  const program = join(dirname(manifest), typeof bin === 'string' ? bin : bin[name]);
  const quiet = name === 'nx';
  const run = spawnSync(process.execPath, [program, ...toolArgs], {
    cwd: ROOT,
    env: { ...process.env, NX_DAEMON: 'false' },
    stdio: ['ignore', quiet ? 'ignore' : 2, 2],
  });
  return run.status === 0;
}
