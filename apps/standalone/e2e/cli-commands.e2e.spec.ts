import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { cli, type CliOptions, type CliRun } from './testing/catalog/cli-process';
import { catalogForSuite } from './testing/catalog/suite-catalog';

const TOKEN = 'the-token-of-this-suite';
const TAG = 'urn:li:tag:cli-gold';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,cli.orders,PROD)';

let folder: string;
beforeAll(() => {
  buildBundles('apps/cli/main');
  folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-cli-`));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the commands that change and read one entity', () => {
  const catalog = catalogForSuite();
  const run = (args: readonly string[], options: CliOptions = {}): Promise<CliRun> =>
    cli([...args, '--server', catalog.url], options);
  const told = async (args: readonly string[]): Promise<string> => (await run(args)).stdout;

  it('put writes a value from the command line, a file or standard input, and history lists the versions', async () => {
    const file = join(folder, 'two.json');
    writeFileSync(file, '{"name":"gold","description":"two"}');
    const first = await run(['put', TAG, 'tagProperties', '--value', '{"name":"gold"}', '--run-id', 'cli-1']);
    expect(first).toEqual({ code: 0, stdout: `${TAG}: tagProperties is written\n`, stderr: '' });
    expect((await run(['put', TAG, 'tagProperties', file])).code).toBe(0);
    const third = await run(['put', TAG, 'tagProperties', '-', '--json'], {
      stdin: '{"name":"gold","description":"drei: é 9007199254740993"}',
    });
    expect(JSON.parse(third.stdout)).toEqual({
      urn: TAG,
      aspect: 'tagProperties',
      position: expect.stringMatching(/:\d+$/),
    });

    const history = (await told(['history', TAG, 'tagProperties'])).trimEnd().split('\n');
    expect(history.map((line) => line.split(/ {2,}/)[0])).toEqual(['version', '3', '2', '1']);
    expect(history[3]).toMatch(/UPSERT {2}urn:li:corpuser:unknown {2}cli-1$/);
    const { versions } = JSON.parse(
      await told(['history', TAG, 'tagProperties', '--from', '2', '--to', '2', '--json']),
    ) as { versions: { version: number }[] };
    expect(versions.map(({ version }) => version)).toEqual([2]);
    expect(await told(['get', TAG, '--aspect', 'tagProperties'])).toContain('drei: é 9007199254740993');
    expect(await run(['history', TAG, 'ownership'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${TAG} never had ownership\n`,
    });
    expect((await run(['history', TAG, 'tagPropertis'])).stderr).toBe(
      `${TAG} never had tagPropertis; did you mean tagProperties?\n`,
    );
  });

  it('put overwrites nothing with --create, and no newer version with --if-version', async () => {
    const value = ['--value', '{"name":"other"}'];
    expect((await run(['put', TAG, 'tagProperties', ...value, '--create'])).code).toBe(1);
    expect((await run(['put', TAG, 'tagProperties', ...value, '--if-version', '1'])).code).toBe(1);
    expect(await told(['get', TAG, '--aspect', 'tagProperties'])).toContain('"gold"');
    expect((await run(['put', TAG, 'tagProperties', ...value, '--if-version', '3'])).code).toBe(0);
  });

  it('patch changes the place that it names, and timeline shows it', async () => {
    const add = (tag: string): string =>
      JSON.stringify([{ op: 'add', path: `/tags/urn:li:tag:${tag}`, value: { tag: `urn:li:tag:${tag}` } }]);
    expect((await run(['patch', DATASET, 'globalTags', '--value', add('a')])).code).toBe(0);
    expect((await run(['patch', DATASET, 'globalTags', '-'], { stdin: add('b') })).code).toBe(0);
    const timeline = await told(['timeline', DATASET, '--aspect', 'globalTags']);
    expect(timeline).toMatch(
      / {2}globalTags version 2 changed by urn:li:corpuser:unknown\n {2}\+ \/tags\/urn:li:tag:b/,
    );
    const { changes } = JSON.parse(await told(['timeline', DATASET, '--count', '1', '--json'])) as {
      changes: unknown[];
    };
    expect(changes).toHaveLength(1);
    expect((await run(['timeline', DATASET, '--to', '2020-01-01'])).code).toBe(1);
  });

  it('delete soft-deletes and restores; a hard delete needs a confirmation', async () => {
    expect(await run(['exists', TAG])).toEqual({ code: 0, stdout: 'yes\n', stderr: '' });
    expect((await run(['delete', TAG])).code).toBe(0);
    expect(await run(['exists', TAG, '--visible', '--json'])).toEqual({
      code: 1,
      stdout: 'false\n',
      stderr: '',
    });
    expect((await run(['delete', TAG, '--undo'])).code).toBe(0);
    expect((await run(['exists', TAG, '--visible'])).code).toBe(0);

    const asked = await run(['delete', TAG, '--hard']);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('That cannot be undone: --yes does it, --dry-run only shows it');
    expect((await run(['delete', TAG, '--hard', '--dry-run'])).stdout).toContain(
      `would do: delete ${TAG} with the whole history of`,
    );
    expect((await run(['exists', TAG])).code).toBe(0);
    const { stdout } = await run(['delete', TAG, '--hard', '--yes', '--json']);
    expect((JSON.parse(stdout) as { rows: number }).rows).toBeGreaterThan(4);
    expect((await run(['exists', TAG])).code).toBe(1);
    expect(await run(['delete', TAG])).toEqual({
      code: 1,
      stdout: '',
      stderr: `there is no entity ${TAG}\n`,
    });
  });

  it('delete deletes one aspect', async () => {
    const args = ['delete', DATASET, '--aspect', 'globalTags'];
    expect((await run(args)).code).toBe(2);
    expect((await run([...args, '--yes'])).code).toBe(0);
    expect((await run(['get', DATASET, '--aspect', 'globalTags'])).code).toBe(1);
    expect((await run([...args, '--hard'])).code).toBe(2);
  });

  it('rollback reverts the writes of a run, after a preview with --dry-run', async () => {
    const urn = 'urn:li:tag:cli-run';
    const put = (name: string, id: string): Promise<CliRun> =>
      run(['put', urn, 'tagProperties', '--value', `{"name":"${name}"}`, '--run-id', id]);
    await put('before', 'cli-2');
    await put('wrong', 'cli-3');
    expect((await told(['rollback', 'cli-3', '--dry-run'])).split('\n')[1]).toBe(
      'aspects taken back          1',
    );
    expect((await run(['rollback', 'cli-3'])).code).toBe(2);
    expect(await told(['get', urn])).toContain('"wrong"');
    expect((await run(['rollback', 'cli-3', '--yes', '--json'])).code).toBe(0);
    expect(await told(['get', urn])).toContain('"before"');
    expect(await run(['rollback', 'no-such-run', '--yes'])).toMatchObject({ code: 1, stdout: '' });
  });

  it.each([
    [['put', 'gold', 'tagProperties', '--value', '{}'], '"gold" is no urn'],
    [['put', TAG, 'tagProperties'], 'give the value in one way'],
    [['put', TAG, 'tagProperties', '--value', '{'], '--value is not JSON'],
    [['put', TAG, 'tagProperties', '-'], 'standard input is not JSON: it is empty'],
    [['patch', TAG, 'tagProperties', '/no/such/file'], 'cannot read /no/such/file'],
    [['history', TAG, 'tagProperties', '--count', '0'], 'whole number from 1 to 1000'],
    [['timeline', TAG, '--from', 'yesterday'], 'Must be a time like'],
    [['histroy', TAG], "unknown command 'histroy'\n(Did you mean history?)"],
  ])('%j is wrong usage', async (args, reason) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
  });
});

describe('profiles', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: TOKEN } });
  const configOf = (name: string): Readonly<Record<string, string>> => ({
    STRATALOG_CLI_CONFIG: join(folder, name, 'config.json'),
  });

  it('init stores server and token for the user only, and every command uses them', async () => {
    const env = configOf('one');
    const wrong = await cli(['init', '--server', catalog.url, '--token', 'another-token'], { env });
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect((await cli(['exists', TAG, '--server', catalog.url], { env })).code).toBe(1);

    const made = await cli(['init', '--server', catalog.url, '--token-file', '-', '--json'], {
      env,
      stdin: `${TOKEN}\n`,
    });
    expect(made.stderr).toBe('');
    expect(JSON.parse(made.stdout)).toEqual({
      profile: 'default',
      server: catalog.url,
      hasToken: true,
      isDefault: true,
      file: env.STRATALOG_CLI_CONFIG,
    });
    expect(statSync(env.STRATALOG_CLI_CONFIG ?? '').mode & 0o777).toBe(0o600);
    expect(await cli(['exists', TAG], { env })).toEqual({ code: 1, stdout: 'no\n', stderr: '' });
    expect((await cli(['init', '--server', catalog.url, '--token', TOKEN], { env })).code).toBe(2);
  });

  it('a flag comes before the environment, that before the profile', async () => {
    const env = configOf('two');
    const nobody = 'http://127.0.0.1:1';
    await cli(['init', '--server', nobody, '--no-check'], { env });
    await cli(['init', '--profile', 'here', '--server', catalog.url, '--token', TOKEN], { env });
    const exists = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      (await cli(['exists', TAG, ...args], { env: { ...env, ...more } })).stdout;

    expect(await exists([])).toBe('');
    expect(await exists(['--profile', 'here'])).toBe('no\n');
    expect(await exists([], { STRATALOG_CLI_PROFILE: 'here' })).toBe('no\n');
    expect(await exists([], { STRATALOG_URL: catalog.url, STRATALOG_TOKEN: TOKEN })).toBe('no\n');
    expect(await exists([], { STRATALOG_CLI_PROFILE: 'here', STRATALOG_URL: nobody })).toBe('');
    expect(await exists(['--profile', 'here'], { STRATALOG_URL: nobody })).toBe('no\n');
    expect(await exists(['--server', nobody, '--profile', 'here'])).toBe('');
    expect((await cli(['exists', TAG, '--profile', 'there'], { env })).stderr).toBe(
      'there is no profile "there": there are default, here\n',
    );
  });
});
