import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { rejection, ScriptedCatalog } from '../../testing/scripted-catalog';

const task = (state: string, more: object = {}): object => ({
  task: 'node:7',
  id: 7,
  kind: 'truncate-timeseries',
  state,
  progress: { done: 3, total: 9, perSecond: 3, secondsLeft: 2 },
  createdMillis: 1_700_000_000_000,
  requestedBy: 'urn:li:corpuser:admin',
  ...more,
});

describe('the commands of operators', () => {
  let catalog: ScriptedCatalog;
  let asked: string[];

  /** Answers calls by the beginning of their method and target, each with its replies in turn; the last is repeated. */
  const scripted = (replies: Readonly<Record<string, readonly object[]>>): void => {
    const left = new Map(Object.entries(replies).map(([call, own]) => [call, [...own]]));
    catalog.reply = (request, body) => {
      const call = `${request.method ?? ''} ${request.url ?? ''}`;
      asked.push(`${call} ${body}`.trimEnd());
      const own = left.get(call) ?? [];
      return { status: 200, body: (own.length > 1 ? own.shift() : own[0]) ?? {} };
    };
  };

  beforeEach(async () => {
    asked = [];
    catalog = await ScriptedCatalog.start();
  });
  afterEach(async () => {
    await catalog.stop();
  });

  describe('audit', () => {
    const record = (id: number, more: object = {}): object => ({
      id,
      timeMillis: 1_700_000_000_000,
      actor: 'urn:li:corpuser:admin',
      address: '203.0.113.7',
      call: 'POST /operations rebuildIndices',
      parameters: {},
      outcome: 'done',
      status: 200,
      durationMillis: 3,
      ...more,
    });

    it('prints a table, and narrows', async () => {
      const rejected = record(7, { outcome: 'rejected', status: 401, omitted: 41 });
      scripted({
        'GET /operations/audit?count=20': [{ records: [rejected] }],
        'GET /operations/audit?actor=urn%3Ali%3Acorpuser%3Ab&call=GET%20%2Ftasks&address=10.0.0.1&outcome=failed&from=1000000000000&to=1100000000000&count=2':
          [{ records: [] }],
      });
      expect(await catalog.run(['audit'])).toEqual({
        exit: 0,
        out: 'id  time                      outcome       from         actor                  call\n7   2023-11-14T22:13:20.000Z  rejected 401  203.0.113.7  urn:li:corpuser:admin  POST /operations rebuildIndices (42 times)\n',
        err: '',
      });
      const narrow = ['--actor', 'urn:li:corpuser:b', '--call', 'GET /tasks', '--address', '10.0.0.1'];
      const more = [
        '--outcome',
        'failed',
        '--time',
        '1000000000000..1100000000000',
        '--count',
        '2',
        '--json',
      ];
      expect(await catalog.run(['audit', ...narrow, ...more])).toEqual({ exit: 0, out: '', err: '' });
    });

    it('prints all records as JSON lines, page by page', async () => {
      const page = Array.from({ length: 1_000 }, (_, at) => record(1_003 - at));
      scripted({
        'GET /operations/audit?count=1000': [{ records: page }],
        'GET /operations/audit?before=4&count=1000': [{ records: [record(3)] }],
      });
      const { out } = await catalog.run(['audit', '--json']);
      const lines = out.trimEnd().split('\n');
      expect(lines).toHaveLength(1_001);
      expect(JSON.parse(lines.at(-1) ?? '')).toEqual(record(3));
    });
  });

  describe('tasks', () => {
    const READ = 'GET /operations/tasks/7';

    it('list prints a table, and narrows', async () => {
      scripted({
        'GET /operations/tasks?count=20': [{ tasks: [task('running')] }],
        'GET /operations/tasks?count=2&state=failed&kind=truncate-timeseries': [{ tasks: [] }],
      });
      expect(await catalog.run(['tasks', 'list'])).toEqual({
        exit: 0,
        out: 'id  kind                 state    done    created                   by\n7   truncate-timeseries  running  3 of 9  2023-11-14T22:13:20.000Z  urn:li:corpuser:admin\n',
        err: '',
      });
      const narrow = ['--count', '2', '--state', 'failed', '--kind', 'truncate-timeseries', '--json'];
      expect(JSON.parse((await catalog.run(['tasks', 'list', ...narrow])).out)).toEqual({ tasks: [] });
      expect((await catalog.run(['tasks', 'list', '--state', 'done'])).exit).toBe(2);
    });

    it('watch waits for the end', async () => {
      scripted({
        [READ]: [task('queued'), task('running'), task('completed', { progress: { done: 9, total: 9 } })],
      });
      expect(await catalog.run(['tasks', 'watch', '7'])).toEqual({
        exit: 0,
        out: 'task 7: completed [########################] 100% 9 of 9\n',
        err: '',
      });
      expect(asked).toHaveLength(3);
    });

    test.each([
      [task('failed', { reason: 'no room' }), 'the task failed: no room\n'],
      [task('cancelled'), 'the task is cancelled\n'],
    ])('watch exits with 1 for %j', async (ended, err) => {
      scripted({ [READ]: [ended] });
      const { exit, err: printed, out } = await catalog.run(['tasks', 'watch', '7', '--json']);
      expect([exit, printed, JSON.parse(out)]).toEqual([1, err, ended]);
    });

    it('watch ends with a task that found nothing to do and left no record', async () => {
      let left = 2;
      catalog.reply = () =>
        (left -= 1) > 0
          ? { status: 200, body: task('running', { progress: { done: 3 } }) }
          : rejection(404, 'There is no task 7');
      expect(await catalog.run(['tasks', 'watch', '7'])).toEqual({
        exit: 0,
        out: expect.stringMatching(/^task 7: completed/),
        err: '',
      });
      left = 2;
      catalog.reply = () =>
        (left -= 1) > 0 ? { status: 200, body: task('running') } : { status: 404, body: 'not here' };
      expect(await catalog.run(['tasks', 'watch', '7'])).toMatchObject({ exit: 1, out: '' });
    });

    it('watch lets the task go on when it is interrupted', async () => {
      scripted({ [READ]: [task('running')] });
      const interrupt = new AbortController();
      interrupt.abort();
      expect(await catalog.run(['tasks', 'watch', '7'], { interrupted: interrupt.signal })).toEqual({
        exit: 130,
        out: '',
        err: 'interrupted; the task 7 goes on, and "stratalog tasks cancel 7" ends it\n',
      });
    });

    test.each([
      ['pause', 'pausing', 0],
      ['resume', 'running', 0],
      ['cancel', 'cancelling', 0],
      ['pause', 'completed', 1],
      ['resume', 'cancelled', 1],
      ['cancel', 'completed', 1],
    ])('%s asks for it, and a task that is then %s exits with %d', async (request, state, exit) => {
      scripted({ [`POST /operations?action=${request}Task`]: [{ value: task(state) }] });
      expect(await catalog.run(['tasks', request, '7'])).toMatchObject({
        exit,
        out: `task 7: ${state} [########................] 33% 3 of 9, 3/s, 2 s left\n`,
      });
      expect(asked).toEqual([`POST /operations?action=${request}Task {"task":"7"}`]);
    });

    it('reports what the catalog rejects', async () => {
      catalog.reply = () => rejection(404, 'There is no task 8');
      expect(await catalog.run(['tasks', 'watch', '8'])).toMatchObject({
        exit: 1,
        err: 'There is no task 8\n',
      });
      expect((await catalog.run(['tasks', 'pause'])).exit).toBe(2);
    });
  });

  it('sizes lists the largest first, without empty ones', async () => {
    const size = (aspectName: string, sizeInMb: number) => ({ entityName: 'dataset', aspectName, sizeInMb });
    const indexSizes = [size('operation', 1.5), size('none', 0), size('datasetprofile', 20.25)];
    scripted({ 'POST /operations?action=getIndexSizes': [{ value: { indexSizes } }] });
    expect((await catalog.run(['sizes'])).out).toBe(
      'entity   aspect          MB\ndataset  datasetprofile  20.250\ndataset  operation       1.500\n         together        21.750\n',
    );
    expect(JSON.parse((await catalog.run(['sizes', '--json'])).out)).toEqual({ indexSizes });
  });

  it('restore sums the batches of the answer', async () => {
    const CALL = 'POST /operations?action=restoreIndices';
    const value = '{args=…, result=R(ignored=1, rowsMigrated=7, x=0)\nR(ignored=0, rowsMigrated=3, x=0)}';
    scripted({ [CALL]: [{ value }] });
    const narrow = ['--urn', 'urn:li:tag:a', '--aspect', 'status', '--like', 'urn:%', '--limit', '5'];
    expect(await catalog.run(['restore', ...narrow])).toEqual({
      exit: 0,
      out: '10 aspects restated, 1 ignored\n',
      err: '',
    });
    expect(asked).toEqual([
      `${CALL} {"start":0,"batchSize":500,"limit":5,"urn":"urn:li:tag:a","aspect":"status","urnLike":"urn:%"}`,
    ]);
    expect(JSON.parse((await catalog.run(['restore', '--json'])).out)).toEqual({
      restated: 10,
      ignored: 1,
      answer: value,
    });
    expect((await catalog.run(['restore', '--batch-size', '0'])).exit).toBe(2);
  });

  it('restore ends at Ctrl-C, and says that the catalog does not', async () => {
    const interrupt = new AbortController();
    catalog.reply = () => {
      interrupt.abort();
      return { status: 200 };
    };
    expect(await catalog.run(['restore'], { interrupted: interrupt.signal })).toEqual({
      exit: 130,
      out: '',
      err: 'interrupted; the catalog goes on to the end\n',
    });
  });

  describe('truncate', () => {
    const CALL = 'POST /operations?action=truncateTimeseriesAspect';

    it.each(['12', '2026', '2026-1-1', '2026-02-30', '2026-11-22T10:00', '2026-11-22 10:00', 'may 5'])(
      'rejects %j as a time, and deletes nothing',
      async (until) => {
        const run = await catalog.run(['truncate', 'dataset', 'operation', '--until', until, '--yes']);
        expect(run).toMatchObject({
          exit: 2,
          err: expect.stringContaining('Must be a time like 2026-11-22'),
        });
        expect(asked).toEqual([]);
      },
    );

    const PLAN = 'Delete 3 out of 9 rows (33.33%). Issuing a delete by query request. This was a dry run.';
    const truncate = (...options: string[]) =>
      catalog.run(['truncate', 'dataset', 'datasetProfile', '--until', '1700000000000', ...options]);
    const parameters = '{"entityType":"dataset","aspect":"datasetProfile","endTimeMillis":1700000000000,';

    it('says first what would go, and waits for the end', async () => {
      scripted({
        [CALL]: [{ value: PLAN }, { value: 'node:7' }],
        'GET /operations/tasks/node%3A7': [task('running'), task('completed', { outcome: { deleted: 3 } })],
      });
      expect(await truncate('--yes')).toEqual({ exit: 0, out: '3 values deleted\n', err: '' });
      expect(asked.slice(0, 2)).toEqual([
        `${CALL} ${parameters}"dryRun":true}`,
        `${CALL} ${parameters}"dryRun":false}`,
      ]);
    });

    it('deletes nothing by a dry run, or without a confirmation', async () => {
      scripted({ [CALL]: [{ value: PLAN }] });
      expect(await truncate('--dry-run')).toEqual({
        exit: 0,
        out: 'would do: Delete 3 out of 9 rows (33.33%)\n',
        err: '',
      });
      expect(JSON.parse((await truncate('--dry-run', '--json')).out)).toEqual({ plan: PLAN });
      const unconfirmed = await truncate();
      expect([unconfirmed.exit, unconfirmed.err]).toEqual([
        2,
        'Delete 3 out of 9 rows (33.33%). That cannot be undone: --yes does it, --dry-run only shows it\n',
      ]);
      expect(asked.filter((call) => call.includes('"dryRun":false'))).toEqual([]);
    });

    it('returns at once, or with the reason of a failure', async () => {
      scripted({
        [CALL]: [{ value: PLAN }, { value: 'node:7' }],
        'GET /operations/tasks/node%3A7': [task('failed', { reason: 'too slow' })],
      });
      expect((await truncate('--yes', '--no-wait', '--batch-size', '5')).out).toBe(
        'task node:7 is started\n',
      );
      expect(asked.at(-1)).toContain('"batchSize":5');
      scripted({
        [CALL]: [{ value: PLAN }, { value: 'node:7' }],
        'GET /operations/tasks/node%3A7': [task('failed', { reason: 'too slow' })],
      });
      expect(await truncate('--yes')).toEqual({ exit: 1, out: '', err: 'the task failed: too slow\n' });
    });

    it('needs a time', async () => {
      expect((await catalog.run(['truncate', 'dataset', 'datasetProfile'])).exit).toBe(2);
      expect((await catalog.run(['truncate', 'dataset', 'datasetProfile', '--until', 'soon'])).exit).toBe(2);
    });
  });
});
