// The checks that run no test: format, lint and types, unused code.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '../workspace/nx-settings.mjs';
import { ROOT } from '../workspace/workspace.mjs';

const CACHED = ['--cache', '--cache-strategy=content', '--cache-location=node_modules/.cache/eslint/'];

/**
 * The programs of each check. eslint caches its results for unchanged files, except with `CI=true`: its rule
 * about imports reads the project graph, and may report an unchanged file.
 */
export function listChecks(env) {
  const lintCache = env.CI === 'true' ? [] : CACHED;
  return [
    { name: 'format', steps: [['oxfmt', '--check']] },
    {
      name: 'lint and types',
      steps: [
        // The rule about module boundaries reads the project graph, which nx makes.
        ['nx', 'show', 'projects'],
        // The rules that read types share one analysis of the whole tree with the errors of TypeScript.
        ['oxlint', '--type-aware', '--type-check', '.'],
        ['eslint', ...lintCache, '.'],
      ],
    },
    // Files, exports and packages that nothing uses; `knip.jsonc` names the exceptions.
    { name: 'unused', steps: [['knip', '--no-progress']] },
  ];
}

/**
 * Runs the checks one after another, because jest keeps the other cores busy. Resolves with their whole
 * output.
 */
export async function runChecks() {
  const results = [];
  for (const { name, steps } of listChecks(process.env)) {
    const startedAt = Date.now();
    let ok = true;
    let output = '';
    for (const step of steps) {
      if (!ok) break;
      const run = await runTool(step);
      ok = run.code === 0;
      if (!ok) output += run.output;
    }
    results.push({ name, ok, output, seconds: Math.round((Date.now() - startedAt) / 1000) });
  }
  return results;
}

/** Runs the program of the package that has its name, so that it need not be on the PATH. */
async function runTool([tool, ...args]) {
  const folder = join(ROOT, 'node_modules', tool);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = join(folder, typeof bin === 'string' ? bin : bin[tool]);
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, output };
}
