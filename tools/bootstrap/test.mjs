// `npm test`: everything. `npm test -- <pattern>`: only the suites whose path matches.
import { buildIfNeeded } from './build.mjs';
import { runChecks } from './checks.mjs';
import { installIfNeeded } from './install.mjs';
import { runJest } from './jest.mjs';
import { say } from './workspace.mjs';

const args = process.argv.slice(2);
let counts = { passed: 0, failed: 1, skipped: 0 };
let ok = false;
try {
  await installIfNeeded();
  await buildIfNeeded();
  const [run, checks] = await Promise.all([runJest(args), args.length === 0 ? runChecks() : []]);
  for (const check of checks) report(check);
  counts = run.counts ?? counts;
  ok = run.code === 0 && checks.every((check) => check.ok);
} catch (error) {
  say(error.stack);
}
const { passed, failed, skipped } = counts;
console.log(`Tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = ok && failed === 0 ? 0 : 1;

function report({ name, ok, output, seconds }) {
  if (!ok) console.error(`\n${output.trim()}`);
  console.error(`${name}: ${ok ? 'ok' : 'FAILED'} (${seconds} s)`);
}
