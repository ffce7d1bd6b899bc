import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, ScriptedCatalog } from '../../testing/scripted-catalog';
import { searchAnswer } from '../../testing/search-answer';
import { pressTab } from '../../testing/press-tab';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';

let catalog: ScriptedCatalog;

beforeEach(async () => {
  catalog = await ScriptedCatalog.start();
});
afterEach(async () => {
  await catalog.stop();
});

const scriptFor = async (shell: string): Promise<string> => (await catalog.run(['completion', shell])).out;

describe('completion', () => {
  it('completion in bash completes commands, options and file names without asking the catalog', async () => {
    const script = await scriptFor('bash');
    const file = await catalog.file('some-file', '');
    const typed = [
      'ti\t',
      'model sh\t',
      'load --json --con\t',
      'load model --con\t',
      '--server http://localhost:1 sta\t',
      'rebuild ti\t',
      'tasks list --state fa\t',
      'audit --outcome=fa\t',
      `load ${file.slice(0, -2)}\t`,
    ];
    expect(await pressTab(script, typed)).toEqual({
      lines: [
        ['timeline'],
        ['model', 'show'],
        ['load', '--json', '--concurrency'],
        ['load', 'model', '--concurrency'],
        ['--server', 'http://localhost:1', 'status'],
        ['rebuild', 'timeseries'],
        ['tasks', 'list', '--state', 'failed'],
        ['audit', '--outcome=failed'],
        ['load', file],
      ],
      asked: [],
    });
  });

  it.each([
    ['get urn:li:ta\t', ['urn', '--', 'urn:li:ta'], ['urn:li:tag:'], ['get', 'urn:li:tag:']],
    ["get 'urn:li:dataset:(\t", ['urn', '--', 'urn:li:dataset:('], [ORDERS], ['get', ORDERS]],
    ['get "urn:li:dataset:(\t', ['urn', '--', 'urn:li:dataset:('], [ORDERS], ['get', ORDERS]],
    ['get urn:li:dataset:\\(urn:li\t', ['urn', '--', 'urn:li:dataset:(urn:li'], [ORDERS], ['get', ORDERS]],
    ['get urn:li:dataset:\t', ['urn', '--', 'urn:li:dataset:'], [ORDERS], ['get', ORDERS]],
    ['exists ord\t', ['urn', '--', 'ord'], [ORDERS], ['exists', ORDERS]],
    ['exists ord\t', ['urn', '--', 'ord'], [ORDERS, 'urn:li:tag:ordered'], ['exists', 'ord']],
    ['exists \t', ['urn', '--', ''], ['urn:li:tag:a', 'urn:li:chart:b'], ['exists', 'urn:li:']],
    [
      'search x --entity dataP\t',
      ['type', '--', 'dataP'],
      ['dataProduct'],
      ['search', 'x', '--entity', 'dataProduct'],
    ],
    [
      'search x --entity=dataP\t',
      ['type', '--', 'dataP'],
      ['dataProduct'],
      ['search', 'x', '--entity=dataProduct'],
    ],
    [
      "get --version 1 --server 'http://h:1' --token=t urn:li:tag:a\t",
      ['urn', '--server', 'http://h:1', '--token=t', '--', 'urn:li:tag:a'],
      ['urn:li:tag:abc'],
      ['get', '--version', '1', '--server', 'http://h:1', '--token=t', 'urn:li:tag:abc'],
    ],
    ['truncate da\t', ['type', '--', 'da'], ['dataset', 'dataJob'], ['truncate', 'data']],
    ['get zz\t', ['urn', '--', 'zz'], [], ['get', 'zz']],
    ['get urn:li:tag:a\t', ['urn', '--', 'urn:li:tag:a'], ['urn:li:tag:a$(b)'], ['get', 'urn:li:tag:a$(b)']],
    ['get urn:li:tag:x\t', ['urn', '--', 'urn:li:tag:x'], ['urn:li:tag:x!!'], ['get', 'urn:li:tag:x!!']],
    ["get 'urn:li:tag:x\t", ['urn', '--', 'urn:li:tag:x'], ['urn:li:tag:x!!'], ['get', 'urn:li:tag:x!!']],
    ['get "urn:li:tag:x\t"', ['urn', '--', 'urn:li:tag:x'], ['urn:li:tag:x!!'], ['get', 'urn:li:tag:x']],
  ])('completion in bash completes %j by asking', async (typed, asked, offered, line) => {
    expect(await pressTab(await scriptFor('bash'), [typed], offered)).toEqual({
      lines: [line],
      asked: [asked],
    });
  });

  it('completion in zsh and fish has every command with its description, and asks for urns and entity types', async () => {
    const zsh = await scriptFor('zsh');
    expect(zsh).toMatch(/^#compdef stratalog\n/);
    expect(zsh).toContain("'exists:say whether an entity is there; exit code 1 when it is not'");
    expect(zsh).toMatch(/' get '\*\) names=\(\) flags=\(.*\) kinds='urn' depth=1 ;;/);
    const fish = await scriptFor('fish');
    expect(fish).toContain("-f -a history -d 'list the versions of one aspect, the newest first'");
    expect(fish).toContain(`-n '__stratalog_at "*" browse' -l entity -r -f -a '(__stratalog_complete type)'`);
    expect(zsh + fish).not.toContain('complete:print');
  });

  it('completion in fish asks for a urn only where one belongs, at the catalog of the line', async () => {
    const fish = await scriptFor('fish');
    const ofPut = fish.split('\n').filter((line) => line.includes(" put' -f"));
    expect(ofPut).toEqual([
      "complete -c stratalog -n '__stratalog_at 0 put' -f -a '(__stratalog_complete urn)'",
    ]);
    expect(fish).toContain("case '--server' '--profile' '--token' '--token-file'");
    expect(fish).toContain("case '--server=*' '--profile=*' '--token=*' '--token-file=*'");
    expect(fish).toContain('stratalog complete $argv[1] (__stratalog_typed to) -- "$prefix"');
  });

  it('completion for another shell is wrong usage', async () => {
    const { exit, err } = await catalog.run(['completion', 'csh']);
    expect([exit, err]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish')]);
  });
});

describe('complete', () => {
  const offered = async (...args: string[]): Promise<unknown> => {
    const { exit, out, err } = await catalog.run(['complete', ...args]);
    expect([exit, err]).toEqual([0, '']);
    return out.split('\n').slice(0, -1);
  };

  it('lists entity types and beginnings of urns without a catalog', async () => {
    const down = ['--server', 'http://127.0.0.1:1'];
    expect(await offered('type', 'glossary', ...down)).toEqual(['glossaryNode', 'glossaryTerm']);
    expect(await offered('urn', 'urn:li:glossary', ...down)).toEqual([
      'urn:li:glossaryNode:',
      'urn:li:glossaryTerm:',
    ]);
    expect(await offered('urn', 'u', ...down)).toContain('urn:li:dataset:');
    expect(await offered('type', 'zz', ...down)).toEqual([]);
  });

  it('is silent without a catalog, without the right to read, and with another server', async () => {
    expect(await offered('urn', 'urn:li:tag:a', '--server', 'http://127.0.0.1:1')).toEqual([]);
    expect(await offered('urn', 'orders', '--server', 'no address')).toEqual([]);
    expect(await offered('urn', 'orders', '--profile', 'none')).toEqual([]);
    catalog.reply = () => rejection(401, 'who are you');
    expect(await offered('urn', 'orders')).toEqual([]);
    catalog.reply = () => ({ status: 200, body: ['no catalog'] });
    expect(await offered('urn', 'orders')).toEqual([]);
  });

  it('leaves out what a terminal would obey', async () => {
    catalog.reply = () => ({
      status: 200,
      body: {
        value: { entities: [{ urn: 'urn:li:tag:a\u001b[2J' }, { urn: 'urn:li:tag:a\nb' }, { urn: ORDERS }] },
      },
    });
    expect(await offered('urn', 'orders')).toEqual([ORDERS]);
  });

  it('adds the last of many urns, so that their common beginning is that of all', async () => {
    const ascending = Array.from({ length: 50 }, (_, at) => `urn:li:tag:a${String(at).padStart(2, '0')}`);
    catalog.reply = (_, body) => {
      const { sort } = JSON.parse(body) as { sort: { order: string } };
      return {
        status: 200,
        body: { value: searchAnswer(sort.order === 'ASCENDING' ? ascending : ['urn:li:tag:z']) },
      };
    };
    expect(await offered('urn', 'urn:li:tag:')).toEqual([...ascending, 'urn:li:tag:z']);
  });
});
