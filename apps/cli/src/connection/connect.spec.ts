import { chmod } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog } from '../testing/scripted-catalog';
import { searchAnswer } from '../testing/search-answer';

let catalog: ScriptedCatalog;
let tokens: (string | undefined)[];
let body: object;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
  tokens = [];
  body = { value: true };
  catalog.reply = (request) => {
    tokens.push(request.headers.authorization);
    return { status: 200, body };
  };
});
afterEach(async () => {
  await catalog.stop();
});

const profiles = (profile: object): Promise<string> =>
  catalog.file('config.json', JSON.stringify({ default: 'main', profiles: { main: profile } }));

describe("a profile's token", () => {
  it('is sent to the server of the profile only', async () => {
    const env = { STRATALOG_CLI_CONFIG: await profiles({ server: `${catalog.url}/`, token: 'secret' }) };
    await chmod(env.STRATALOG_CLI_CONFIG, 0o600);
    expect(await catalog.run(['exists', 'u'], { env })).toEqual({ exit: 0, out: 'yes\n', err: '' });
    const other = catalog.url.replace('127.0.0.1', 'localhost');
    await catalog.run(['exists', 'u', '--server', other], { env });
    expect(tokens).toEqual(['Bearer secret', undefined]);
  });

  it("a profile's token in a file that others can read is used, with a warning", async () => {
    const env = { STRATALOG_CLI_CONFIG: await profiles({ server: catalog.url, token: 'secret' }) };
    await chmod(env.STRATALOG_CLI_CONFIG, 0o644);
    const { exit, err } = await catalog.run(['exists', 'u'], { env });
    expect([exit, err]).toEqual([0, expect.stringContaining('others can read it: chmod 600')]);
  });
});

it.each([
  ['no JSON', '{'],
  ['something else', '[]'],
  ['a profile without server', '{"profiles":{"main":{"token":"x"}}}'],
])('a file of profiles that holds %s is wrong usage', async (_name, content) => {
  const env = { STRATALOG_CLI_CONFIG: await catalog.file('config.json', content) };
  const { exit, err } = await catalog.run(['exists', 'u'], { env });
  expect([exit, err]).toEqual([2, expect.stringContaining('config.json')]);
  expect(tokens).toEqual([]);
});

it.each([
  ['put', ['put', 'urn:li:tag:a', 'tagProperties', '--value', '{"nme":"a"}']],
  ['patch', ['patch', 'urn:li:tag:a', 'tagProperties', '--value', '[]']],
  ['history', ['history', 'urn:li:tag:a', 'tagProperties']],
  ['timeline', ['timeline', 'urn:li:tag:a']],
  ['search', ['search', 'a']],
])('%s prints the warnings of the catalog on standard error', async (_name, args) => {
  catalog.reply = () => ({
    status: 200,
    body: { value: searchAnswer([]), versions: [], changes: [], results: {} },
    headers: { 'X-Stratalog-Warnings': '["/nme is unknown; did you mean name?"]' },
  });
  const { out, err } = await catalog.run(args);
  expect(err.split('\n')).toContain('stratalog: warning: /nme is unknown; did you mean name?');
  expect(out).not.toContain('nme');
});

it.each([
  'ftp://user:hidden@h/',
  'user:hidden@h:8080',
  'http://user:hid@hidden@[h',
  'http://user:hidden@h:99999',
])('a password in the wrong address %s is not shown', async (server) => {
  const { exit, err } = await catalog.run(['exists', 'u', '--server', server], {});
  expect([exit, err]).toEqual([2, expect.stringContaining('…@')]);
  expect(err).not.toContain('hid');
});

describe('the data folder of a catalog on this machine', () => {
  const folder = async (address: string): Promise<Readonly<Record<string, string>>> => {
    await catalog.file('address', `${address}\n`);
    await catalog.file('operator-token', 'of-the-operator\n');
    return { STRATALOG_URL: '', STRATALOG_DATA_DIR: catalog.folder };
  };

  it.each([
    ['exists', ['exists', 'u']],
    ['sizes', ['sizes']],
    ['audit', ['audit']],
    ['rebuild', ['rebuild', '--no-wait']],
    ['token list', ['token', 'list']],
  ])('gives address and token to %s', async (_name, args) => {
    body = { value: { indexSizes: [], task: 'node:1' }, records: [], tokens: [] };
    await catalog.run(args, { env: await folder(catalog.url) });
    expect(tokens).toContain('Bearer of-the-operator');
  });

  it('is named by --data-dir, and must then hold an address', async () => {
    await folder(catalog.url);
    const env = { STRATALOG_URL: '' };
    await catalog.run(['exists', 'u', '--data-dir', catalog.folder], { env });
    expect(tokens).toEqual(['Bearer of-the-operator']);
    const { exit, err } = await catalog.run(['exists', 'u', '--data-dir', '/nowhere'], { env });
    expect([exit, err]).toEqual([2, expect.stringContaining('/nowhere names no catalog on this machine')]);
  });

  it('gives no token to another address', async () => {
    const env = { ...(await folder('http://127.0.0.1:1')), STRATALOG_URL: catalog.url };
    await catalog.run(['exists', 'u'], { env });
    expect(tokens).toEqual([undefined]);
  });

  it('cannot direct calls to another machine', async () => {
    const env = await folder('http://catalog.example.org:8080');
    const { err } = await catalog.run(['exists', 'u'], { env });
    expect(err).not.toContain('example.org');
  });
});
