import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const APP = join(import.meta.dirname, '..');
/** Packing builds, and installing requests a few small packages from the registry. */
const LIMIT_MS = 240_000;

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

describe('the npm package', () => {
  let folder: string;
  const empty = (): string => join(folder, 'empty');
  /** Settings of the npm that runs the tests, such as its prefix, must not apply to an empty folder. */
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_registry)|STRATALOG_)/i.test(name)),
  );
  const run = (program: string, args: readonly string[]): string =>
    execFileSync(program, args, { cwd: empty(), env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-package-`));
    mkdirSync(empty());
    run('npm', ['pack', APP, '--pack-destination', folder]);
    const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    run('npm', ['install', join(folder, tarball), '--no-audit', '--no-fund', '--prefer-offline']);
  }, LIMIT_MS);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('installs in an empty folder, and npx runs it', () => {
    expect(run('npx', ['--no', '--', 'stratalog', '--version'])).toBe(`${manifestIn(APP).version}\n`);
  });

  it('includes the model, and no part of the server', () => {
    expect(run(join('node_modules', '.bin', 'stratalog'), ['model', 'show', 'tag'])).toContain(
      'tagProperties',
    );
    const installed = readdirSync(join(empty(), 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed.sort()).toEqual([...Object.keys(manifestIn(APP).dependencies), 'stratalog'].sort());
  });

  it('depends on the versions that the clone is tested with', () => {
    const { dependencies, version } = manifestIn(join(APP, '../..'));
    expect(manifestIn(APP).version).toBe(version);
    expect(dependencies).toMatchObject(manifestIn(APP).dependencies);
  });
});
