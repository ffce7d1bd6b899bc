// `npm test`: the checks and all suites except those of the targets that take minutes each; `--target=all`
// runs those too. `npm test -- <pattern>`: only the suites whose path matches, in any target, without the
// checks.
import { readdirSync } from 'node:fs';
import { buildIfNeeded } from './build/build-if-needed.mjs';
import { runChecks } from './test/checks.mjs';
import { installIfNeeded } from './workspace/install.mjs';
import { runJest } from './test/run-jest.mjs';
import { parseTestArguments } from './test/test-targets.mjs';
import { ROOT, say } from './workspace/workspace.mjs';

let run = { code: 1, leftOut: 0 };
let checks = [];
let mayRunNone = false;
try {
  const { target, rest } = parseTestArguments(process.argv.slice(2));
  mayRunNone = rest.includes('--passWithNoTests');
  const withChecks = rest.length === 0 && ['suites', 'all'].includes(target);
  await installIfNeeded();
  await buildIfNeeded();
  const before = new Set(readdirSync(ROOT));
  [run, checks] = await Promise.all([runJest(rest, { target }), withChecks ? runChecks() : []]);
  const left = readdirSync(ROOT).filter((name) => !before.has(name));
  const clean = { name: 'nothing left in the clone', ok: left.length === 0, output: left.join('\n') };
  checks = [...checks, clean];
  for (const check of checks) report(check);
} catch (error) {
  say(error.stack);
}
const { passed, failed, skipped } = run.counts ?? { passed: 0, failed: 0, skipped: 0 };
const isAnyRun = passed + failed > 0;
if (run.leftOut > 0)
  console.error(`Left out: ${run.leftOut} suites that could not run; their names are above`);
if (isAnyRun)
  console.log(`Tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
else console.log('Tests: none ran');
process.exitCode =
  run.code === 0 && checks.every((check) => check.ok) && failed === 0 && (isAnyRun || mayRunNone) ? 0 : 1;

function report({ name, ok, output, seconds }) {
  if (!ok) console.error(`\n${output.trim()}`);
  console.error(`${name}: ${ok ? 'ok' : 'FAILED'}${seconds === undefined ? '' : ` (${seconds} s)`}`);
}
