import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildBundles } from '@stratalog/harness';
import { cli, typeInBash, type CliOptions, type CliRun } from '../testing/catalog/cli-process';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

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

  it('search and show find in all types at once, say how hits match, and suggest what may be meant', async () => {
    const shipments = 'urn:li:dataset:(urn:li:dataPlatform:hive,cli.shipments,PROD)';
    await run(['put', shipments, 'datasetProperties', '--value', '{"name":"shipments"}']);
    await run(['put', `${TAG}-shipments`, 'tagProperties', '--value', '{"name":"shipments"}']);
    await catalog.http.caughtUp();
    const all = await told(['search', 'shipments']);
    expect(all).toContain('2 found, 1 to 2\n');
    expect(all).toContain('  shipments  dataset, hive');
    expect(all).toContain(shipments);
    expect(await told(['search', 'shipmnets', '--entity', 'dataset'])).toContain(
      'nothing matches "shipmnets"; showing results for "shipments"\ndataset: 1 found, 1 to 1\n',
    );
    expect((await run(['search', 'shipments', '--entity', 'table'])).stderr).toContain(
      'did you mean dataset?',
    );
    expect((await run(['show', 'shipments'])).stderr).toContain('several entities may be shipments');
    expect(await told(['show', 'cli.shipments'])).toContain(`shipments\ndataset on hive\n${shipments}\n`);
  });

  it('completion completes urns in bash: by a prefix, and those of a name', async () => {
    const stock = 'urn:li:dataset:(urn:li:dataPlatform:hive,cli.stocktaking,PROD)';
    await run(['put', stock, 'datasetProperties', '--value', '{"name":"stocktaking"}']);
    await run(['put', `${TAG}-stocktaking`, 'tagProperties', '--value', '{"name":"stocktaking"}']);
    await catalog.http.caughtUp();
    const type = (keys: string, url = catalog.url): Promise<string> =>
      typeInBash(`stratalog ${keys}\n`, { STRATALOG_URL: url });
    expect(await type("exists 'urn:li:dataset:(urn:li:dataPlatform:hive,cli.stockt\t")).toBe('yes\n');
    expect(await type('get urn:li:tag:cli-gold-st\t')).toContain(`"urn": "${TAG}-stocktaking"`);
    expect(await type('get cli.stockt\t')).toContain(stock);
    const down = 'http://127.0.0.1:1';
    expect(await type('mod\tsh\tFabricType --json', down)).toContain('com.linkedin.common.FabricType');
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
    const closed = 'http://127.0.0.1:1';
    await cli(['init', '--server', closed, '--no-check'], { env });
    await cli(['init', '--profile', 'here', '--server', catalog.url, '--token', TOKEN], { env });
    const exists = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
      (await cli(['exists', TAG, ...args], { env: { ...env, ...more } })).stdout;

    expect(await exists([])).toBe('');
    expect(await exists(['--profile', 'here'])).toBe('no\n');
    expect(await exists([], { STRATALOG_CLI_PROFILE: 'here' })).toBe('no\n');
    expect(await exists([], { STRATALOG_URL: catalog.url, STRATALOG_TOKEN: TOKEN })).toBe('no\n');
    expect(await exists([], { STRATALOG_CLI_PROFILE: 'here', STRATALOG_URL: closed })).toBe('');
    expect(await exists(['--profile', 'here'], { STRATALOG_URL: closed })).toBe('no\n');
    expect(await exists(['--server', closed, '--profile', 'here'])).toBe('');
    expect((await cli(['exists', TAG, '--profile', 'there'], { env })).stderr).toBe(
      'there is no profile "there": there are default, here\n',
    );
  });
});

describe('tokens', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'all' } });
  const run = (args: readonly string[], token?: string): Promise<CliRun> =>
    cli([...args, '--server', catalog.url], { env: token === undefined ? {} : { STRATALOG_TOKEN: token } });

  it('lead from an empty folder to a user who writes and one who only reads', async () => {
    const first = ['token', 'create', 'lead', '--scope', 'admin', '--data-dir', catalog.dataDir];
    const lead = await run([...first, '--actor', 'urn:li:corpuser:lead']);
    expect(lead).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^slg_[0-9a-f]{12}_[0-9a-f]{72}\n$/),
      stderr: expect.stringMatching(/^token [0-9a-f]{12} "lead", shown this once:\n$/),
    });
    const make = async (name: string, ...more: string[]): Promise<string> => {
      const made = await run(['token', 'create', name, ...more], lead.stdout.trim());
      expect([name, made.code]).toEqual([name, 0]);
      return made.stdout.trim();
    };
    const writer = await make(
      'writer',
      '--scope',
      'write',
      '--scope',
      'read',
      '--actor',
      'urn:li:corpuser:w',
    );
    const reader = await make('reader', '--scope', 'read', '--entity-type', 'tag', '--expires-days', '1');

    const env = { STRATALOG_CLI_CONFIG: join(folder, 'reader', 'config.json') };
    const kept = await cli(['init', '--server', catalog.url, '--token-file', '-'], { env, stdin: reader });
    expect(kept).toMatchObject({ code: 0, stderr: '' });

    const put = ['put', TAG, 'tagProperties', '--value', '{"name":"gold"}'];
    expect((await run(put, writer)).code).toBe(0);
    expect(await run(put, reader)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('needs the scope write'),
    });
    expect((await run(['get', TAG], reader)).code).toBe(0);
    expect((await run(['get', DATASET], reader)).stderr).toContain('is not of the entity types tag');
    expect((await run(['history', TAG, 'tagProperties'], writer)).stdout).toContain('urn:li:corpuser:w');

    const listed = await run(['token', 'list', '--json'], lead.stdout.trim());
    const { tokens } = JSON.parse(listed.stdout) as {
      readonly tokens: readonly { id: string; name: string }[];
    };
    expect(tokens.map(({ name }) => name)).toEqual(['reader', 'writer', 'lead']);
    expect(tokens[0]).toMatchObject({
      entityTypes: ['tag'],
      expiresMillis: expect.any(Number),
      createdBy: 'urn:li:corpuser:lead',
    });
    const id = tokens[0]?.id ?? '';
    const rotated = (await run(['token', 'rotate', id], lead.stdout.trim())).stdout.trim();
    expect([(await run(['get', TAG], reader)).code, (await run(['get', TAG], rotated)).code]).toEqual([1, 0]);
    const revoked = await run(['token', 'revoke', id], lead.stdout.trim());
    expect(revoked.stdout).toBe(`token ${id} "reader" is revoked\n`);
    expect((await run(['get', TAG], rotated)).stderr).toContain('The token of this call is revoked');
  });

  it('are not made for catalogs elsewhere with the token of this machine', async () => {
    const elsewhere = [
      'token',
      'list',
      '--server',
      'http://catalog.invalid:1',
      '--data-dir',
      catalog.dataDir,
    ];
    expect(await cli(elsewhere)).toMatchObject({ code: 3, stdout: '' });
    const nothing = await run(['token', 'list', '--data-dir', join(folder, 'nothing')]);
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('names no catalog') });
  });
});
