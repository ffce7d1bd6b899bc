// Makes apps/cli/dist, which `npm pack` and `npm link` in apps/cli use: the bundle, the models that ship with
// it, the licence.
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfNeeded } from './build/build-if-needed.mjs';
import { installIfNeeded } from './workspace/install.mjs';
import { DIST, ROOT, say } from './workspace/workspace.mjs';

const BUNDLE = 'apps/cli/main';
const TARGET = join(ROOT, 'apps/cli/dist');

try {
  await installIfNeeded('runtime');
  await buildIfNeeded([BUNDLE]);
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(TARGET, { recursive: true });
  const program = readFileSync(join(DIST, `${BUNDLE}.js`), 'utf8');
  // The map is larger than the program, and names sources that the package lacks.
  writeFileSync(join(TARGET, 'main.js'), program.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  chmodSync(join(TARGET, 'main.js'), 0o755);
  cpSync(join(ROOT, 'models'), join(TARGET, 'models'), { recursive: true });
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(ROOT, name), join(TARGET, name));
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
