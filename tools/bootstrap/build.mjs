// Bundles the entry points into dist/: `node tools/bootstrap/build.mjs [bundle name ...]`.
import { buildIfNeeded } from './build/build-if-needed.mjs';
import { installIfNeeded } from './workspace/install.mjs';
import { say } from './workspace/workspace.mjs';

try {
  await installIfNeeded();
  const names = process.argv.slice(2);
  await buildIfNeeded(names.length === 0 ? undefined : names);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
