import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { rejection, ScriptedCatalog } from '../../testing/scripted-catalog';

let catalog: ScriptedCatalog;
let tokenStatus: number;
let env: { STRATALOG_CLI_CONFIG: string };

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
  env = { STRATALOG_CLI_CONFIG: join(catalog.folder, 'config.json') };
  // As in the default mode: only administrative calls need a token.
  catalog.reply = ({ url = '' }) =>
    (url.startsWith('/operations') && tokenStatus !== 200) || (tokenStatus === 403 && url !== '/config')
      ? rejection(tokenStatus, 'no')
      : { status: 200, body: { value: true } };
});
afterEach(async () => {
  await catalog.stop();
});

it('rejects a wrong token even when reads need none', async () => {
  tokenStatus = 401;
  const { exit, err } = await catalog.run(['init', '--token', 'wrong'], { env });
  expect([exit, err]).toEqual([1, expect.stringContaining('needs a token (no)')]);
  await expect(readFile(env.STRATALOG_CLI_CONFIG)).rejects.toThrow('ENOENT');
});

it.each([
  ['is taken', 200],
  ['permits neither reads nor operations', 403],
  ['cannot be asked about because an index is away', 503],
])('keeps a token that %s', async (_what, status) => {
  tokenStatus = status;
  expect((await catalog.run(['init', '--token', 'right'], { env })).exit).toBe(0);
  expect(await readFile(env.STRATALOG_CLI_CONFIG, 'utf8')).toContain('right');
});

it('makes no administrative call without a token', async () => {
  tokenStatus = 401;
  expect((await catalog.run(['init'], { env })).exit).toBe(0);
});
