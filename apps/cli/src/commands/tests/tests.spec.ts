import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog, rejection } from '../../testing/scripted-catalog';

const TEST = 'urn:li:test:owned';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';

describe('test', () => {
  let catalog: ScriptedCatalog;
  let asked: string[];

  const scripted = (answers: Readonly<Record<string, object>>): void => {
    catalog.reply = (request, body) => {
      const call = `${request.method ?? ''} ${request.url ?? ''}`;
      asked.push(`${call} ${body}`.trimEnd());
      return { status: 200, body: answers[call] ?? {} };
    };
  };

  beforeEach(async () => {
    asked = [];
    catalog = await ScriptedCatalog.start();
  });
  afterEach(async () => {
    await catalog.stop();
  });

  describe('check', () => {
    const withProperty = (property: string): string =>
      JSON.stringify({
        name: 'Owned',
        category: 'c',
        definition: { on: { types: ['dataset'] }, rules: [{ property, operator: 'exists' }] },
      });

    it('finds the faults of each file, without a catalog', async () => {
      const good = await catalog.file('good.json', withProperty('ownership.owners.owner'));
      const bad = await catalog.file('bad.json', withProperty('ownership.owner'));
      const broken = await catalog.file('broken.json', 'rules');
      const bare = await catalog.file('bare.json', '{"on":{"types":["dataset"]},"rules":[]}');
      expect(await catalog.run(['test', 'check', good])).toEqual({
        exit: 0,
        out: '1 checked, 0 faults\n',
        err: '',
      });
      const { exit, out } = await catalog.run(['test', 'check', good, bad, broken]);
      expect(exit).toBe(1);
      expect(out).toContain(`${bad}: /rules/0/property unknown field owner of com.linkedin.common.Ownership`);
      expect(out).toContain(`${broken}: not JSON`);
      expect(out).toMatch(/3 checked, 2 faults\n$/);
      expect((await catalog.run(['test', 'check', bare])).out).toContain(
        'a file has the members name, category and definition',
      );
      const json = await catalog.run(['test', 'check', bad, '--json']);
      expect(JSON.parse(json.out)).toMatchObject({
        files: 1,
        faults: [{ file: bad, path: '/rules/0/property' }],
      });
      expect(asked).toEqual([]);
    });

    it('names a file that it cannot read', async () => {
      const missing = join(catalog.folder, 'missing.json');
      expect(await catalog.run(['test', 'check', missing])).toEqual({
        exit: 2,
        out: '',
        err: `cannot read ${missing} (ENOENT)\n`,
      });
    });
  });

  describe('run', () => {
    const START = 'POST /test?action=evaluateAll';
    const task = (failing: number, error = 0): object => ({
      task: 'node:7',
      state: 'completed',
      progress: { done: 3, total: 3 },
      outcome: {
        evaluated: 3,
        written: 2,
        failing,
        error,
        tests: [{ test: TEST, passing: 3, failing, error }],
      },
    });

    it.each([
      [0, 0, 0],
      [1, 0, 1],
      [0, 1, 1],
    ])('run with %i failing and %i errors exits with %i', async (failing, error, exit) => {
      scripted({
        [START]: { value: { task: 'node:7' } },
        'GET /operations/tasks/node%3A7': task(failing, error),
      });
      const run = await catalog.run([
        'test',
        'run',
        '--yes',
        '--test',
        TEST,
        '--type',
        'dataset',
        '--type',
        'chart',
      ]);
      expect(run.exit).toBe(exit);
      expect(run.out).toBe(
        [
          'test               passing  failing  errors',
          `${TEST}  3        ${String(failing)}        ${String(error)}`,
          '3 entities evaluated, 2 with other results',
          '',
        ].join('\n'),
      );
      expect(asked[0]).toBe(`${START} {"tests":["${TEST}"],"entityTypes":["dataset","chart"]}`);
    });

    it('says what actions of tests would write, and writes nothing without a confirmation', async () => {
      const outcome = {
        evaluated: 3,
        written: 2,
        passing: 3,
        tests: [],
        patches: [{ test: TEST, count: 10 }],
      };
      scripted({
        [START]: { value: { task: 'node:7' } },
        'GET /operations/tasks/node%3A7': { task: 'node:7', state: 'completed', outcome },
      });
      const would = `write to entities by actions of tests: 10 patches by ${TEST}`;
      expect(await catalog.run(['test', 'run'])).toEqual({
        exit: 2,
        out: '',
        err: expect.stringContaining(`${would}. That cannot be undone`),
      });
      const dry = await catalog.run(['test', 'run', '--dry-run']);
      expect([dry.exit, dry.out]).toEqual([
        0,
        expect.stringContaining(`nothing is written; it would ${would}\n`),
      ]);
      const sent = asked.filter((request) => request.startsWith(START));
      expect(sent).toEqual([`${START} {"dryRun":true}`, `${START} {"dryRun":true}`]);
    });

    it('exits with 1 when a named test or entity is not there', async () => {
      scripted({
        [START]: { value: { task: 'node:7' } },
        'GET /operations/tasks/node%3A7': task(0),
      });
      const named = ['--test', TEST, '--test', 'urn:li:test:ownd'];
      expect(await catalog.run(['test', 'run', ...named])).toMatchObject({
        exit: 1,
        err: 'there is no test urn:li:test:ownd\n',
      });
      const urns = ['a', 'b', 'c', 'd', 'd'].flatMap((tag) => ['--urn', `urn:li:tag:${tag}`]);
      expect(await catalog.run(['test', 'run', ...urns])).toMatchObject({
        exit: 1,
        err: '1 of the named entities do not exist\n',
      });
    });

    it('returns at once when it is asked to, and tells why the catalog rejects', async () => {
      scripted({ [START]: { value: { task: 'node:7' } } });
      expect(await catalog.run(['test', 'run', '--urn', DATASET, '--no-wait', '--yes'])).toMatchObject({
        exit: 0,
        out: 'task node:7 is started\n',
      });
      catalog.reply = () => rejection(400, 'no such type');
      expect(await catalog.run(['test', 'run', '--type', 'x'])).toMatchObject({
        exit: 1,
        err: 'no such type\n',
      });
    });
  });

  describe('results', () => {
    const target = (query: Readonly<Record<string, string>>): string =>
      `GET /tests/urn%3Ali%3Atest%3Aowned/results?${new URLSearchParams(query).toString()}`;
    const result = (urn: string): object => ({ urn, outcome: 'failing', computedMillis: 1_700_000_000_000 });

    it('lists pages up to the count, and exits with 1 when some fail', async () => {
      const narrow = { outcome: 'failing', entityType: 'dataset' };
      const counts = { passing: 1, failing: 3 };
      scripted({
        [target({ ...narrow, count: '1000' })]: { counts, results: [result(DATASET)], next: DATASET },
        [target({ ...narrow, count: '999', after: DATASET })]: {
          counts,
          results: [result('urn:li:tag:"b"')],
        },
      });
      const command = ['test', 'results', TEST, '--failing', '--type', 'dataset', '--count', '1000'];
      const { exit, out } = await catalog.run([...command, '--csv']);
      expect(exit).toBe(1);
      expect(out.split('\r\n')).toEqual([
        'urn,outcome,since,reason',
        `"${DATASET}",failing,2023-11-14T22:13:20.000Z,`,
        '"urn:li:tag:""b""",failing,2023-11-14T22:13:20.000Z,',
        '',
      ]);
      expect(asked).toHaveLength(2);
    });

    it('exits with 0 when none fails, as a table and as JSON', async () => {
      const page = { counts: { passing: 2, failing: 0, error: 0 }, results: [] };
      scripted({ [target({ count: '100' })]: page });
      expect(await catalog.run(['test', 'results', TEST])).toEqual({
        exit: 0,
        out: 'urn  outcome  since  reason\n2 passing, 0 failing, 0 errors\n',
        err: '',
      });
      expect(JSON.parse((await catalog.run(['test', 'results', TEST, '--json'])).out)).toEqual(page);
      expect((await catalog.run(['test', 'results', TEST, '--passing', '--failing'])).exit).toBe(2);
    });

    it('lists errors with their reasons, and exits with 1', async () => {
      const result = { urn: 'urn:li:tag:a', outcome: 'error', reason: 'too much', computedMillis: 0 };
      const page = { counts: { passing: 2, failing: 0, error: 1 }, results: [result] };
      scripted({ [target({ outcome: 'error', count: '100' })]: page });
      expect(await catalog.run(['test', 'results', TEST, '--errors', '--csv'])).toEqual({
        exit: 1,
        out: 'urn,outcome,since,reason\r\nurn:li:tag:a,error,1970-01-01T00:00:00.000Z,too much\r\n',
        err: '',
      });
    });
  });

  it('explain says which rules an entity breaks', async () => {
    const failure = {
      rule: '/rules/0',
      property: 'ownership.owners',
      operator: 'count',
      expected: [1, 2],
      found: [],
    };
    const details = [
      { test: TEST, name: 'Owned', outcome: 'failing', failures: [failure] },
      { test: 'urn:li:test:b', outcome: 'passing' },
    ];
    scripted({ 'POST /test?action=evaluate': { value: { passing: [], failing: [], details } } });
    expect(await catalog.run(['test', 'explain', DATASET, '--test', TEST])).toEqual({
      exit: 1,
      out: `failing  ${TEST}  Owned\n    /rules/0: ownership.owners count 1, 2; found nothing\npassing  urn:li:test:b\n`,
      err: '',
    });
    expect(asked).toEqual([
      `POST /test?action=evaluate {"urn":"${DATASET}","explain":true,"tests":["${TEST}"]}`,
    ]);
  });
});
