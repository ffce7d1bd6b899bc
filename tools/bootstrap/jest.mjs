// Runs jest on ESM: `node tools/bootstrap/jest.mjs [jest arguments]`.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const options = [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--no-warnings']
  .filter(Boolean)
  .join(' ');
const run = spawnSync(process.execPath, [jest, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, NODE_OPTIONS: options },
});
process.exit(run.status ?? 1);
