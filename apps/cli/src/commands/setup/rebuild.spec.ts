import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, ScriptedCatalog } from '../../testing/scripted-catalog';

const TASK = { task: 'node:7', id: 7, kind: 'rebuild-indices' };
/** In the order of the store, which is not that of the lines. */
const OUTCOME = { graph: { live: 'g2' }, search: { live: 's2' } };

describe('rebuild', () => {
  let catalog: ScriptedCatalog;
  const asked: string[] = [];

  /** Answers with these states of the task in turn, then repeats the last one. */
  const scripted = (...states: readonly object[]): void => {
    const left = [...states];
    catalog.reply = (request, body) => {
      asked.push(`${request.url ?? ''} ${body} ${request.headers.authorization ?? ''}`.trim());
      const task = { ...TASK, ...(left.length > 1 ? left.shift() : left[0]) };
      return { status: 200, body: request.method === 'POST' ? { value: task } : task };
    };
  };

  beforeEach(async () => {
    asked.length = 0;
    catalog = await ScriptedCatalog.start();
  });
  afterEach(async () => {
    await catalog.stop();
  });

  it('starts a task for all indices with the token, and returns when it is complete', async () => {
    scripted(
      { state: 'queued' },
      { state: 'running', progress: { done: 200, total: 900 } },
      { state: 'completed', progress: { done: 900, total: 900 }, outcome: OUTCOME },
    );
    const { exit, out } = await catalog.run(['rebuild', '--token', 'a-secret']);
    expect([exit, out]).toEqual([0, 'search: rebuilt, now in s2\ngraph: rebuilt, now in g2\n']);
    expect(asked).toEqual([
      '/operations?action=rebuildIndices {} Bearer a-secret',
      '/operations/tasks/node%3A7  Bearer a-secret',
      '/operations/tasks/node%3A7  Bearer a-secret',
    ]);
  });

  it('starts the task for one index, and returns', async () => {
    scripted({ state: 'queued' });
    const { exit, out } = await catalog.run(['rebuild', 'search', '--no-wait']);
    expect([exit, out]).toEqual([0, 'task node:7 is started\n']);
    expect(asked).toEqual(['/operations?action=rebuildIndices {"index":"search"}']);
  });

  it('prints the task as JSON', async () => {
    scripted({ state: 'completed', outcome: OUTCOME });
    const rebuilt = await catalog.run(['rebuild', '--json']);
    expect([rebuilt.exit, JSON.parse(rebuilt.out)]).toEqual([
      0,
      { ...TASK, state: 'completed', outcome: OUTCOME },
    ]);
    scripted({ state: 'queued' });
    const { out } = await catalog.run(['rebuild', 'graph', '--no-wait', '--json']);
    expect(JSON.parse(out)).toEqual({ ...TASK, state: 'queued' });
  });

  it.each([
    [{ state: 'cancelled' }, 'the task is cancelled\n'],
    [{ state: 'failed', reason: 'no space' }, 'the task failed: no space\n'],
  ])('fails when the task ends as %j', async (end, err) => {
    scripted(end);
    expect(await catalog.run(['rebuild'])).toMatchObject({ exit: 1, err });
  });

  it('reports a rejection and an unknown index', async () => {
    catalog.reply = () => rejection(401, 'This call needs a token');
    expect(await catalog.run(['rebuild'])).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/needs a token \(This call needs a token\): give one with --token/),
    });
    expect((await catalog.run(['rebuild', 'lineage'])).exit).toBe(2);
  });

  it('lets the catalog continue when interrupted', async () => {
    const interrupt = new AbortController();
    catalog.reply = (request) => {
      if (request.method === 'GET') interrupt.abort();
      const task = { ...TASK, state: 'running' };
      return { status: 200, body: request.method === 'POST' ? { value: task } : task };
    };
    expect(await catalog.run(['rebuild', 'search'], { interrupted: interrupt.signal })).toMatchObject({
      exit: 130,
      err: 'interrupted; the task node:7 goes on, and "stratalog tasks cancel node:7" ends it\n',
    });
  });
});
