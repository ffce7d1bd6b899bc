import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, ScriptedCatalog, type Reply } from '../../testing/scripted-catalog';

const PLAN = { aspectsReverted: 9, entitiesAffected: 4, entitiesDeleted: 2, aspectsAffected: 0 };
const TASK = {
  task: 'node:7',
  kind: 'rollback-run',
  state: 'running',
  parameters: { runId: 'oven', isHard: false },
  progress: { done: 3, total: 9 },
};

describe('rollback', () => {
  let catalog: ScriptedCatalog;
  let asked: string[];

  /** Answers a dry run, lists of tasks by `lists` in turn, and the call itself once the lists were read. */
  const scripted = (result: Reply, ...lists: readonly Reply[]): void => {
    const left = [...lists];
    let wereRead = (): void => undefined;
    const read = new Promise<void>((resolve) => {
      wereRead = resolve;
    });
    catalog.reply = async (request, body) => {
      asked.push(`${request.url ?? ''} ${body}`.trim());
      if (request.method === 'GET') {
        const reply = left.length > 1 ? left.shift() : left[0];
        if (left.length === 1) wereRead();
        return reply ?? rejection(404, 'no list');
      }
      if (body.includes('"dryRun":true')) return { status: 200, body: { value: PLAN } };
      if (lists.length > 0) await read;
      return result;
    };
  };

  beforeEach(async () => {
    asked = [];
    catalog = await ScriptedCatalog.start();
  });
  afterEach(async () => {
    await catalog.stop();
  });

  it('reads the progress of its task while it waits', async () => {
    const running = { status: 200, body: { tasks: [{ ...TASK, state: 'completed' }, TASK] } };
    scripted({ status: 200, body: { value: PLAN } }, running, rejection(503, 'busy'), running);
    const { exit, out } = await catalog.run(['rollback', 'oven', '--yes', '--json']);
    expect([exit, JSON.parse(out)]).toEqual([0, PLAN]);
    expect(asked.slice(0, 1)).toEqual(['/runs?action=rollback {"runId":"oven","dryRun":true,"safe":true}']);
    expect(asked).toContain('/operations/tasks?kind=rollback-run&count=20');
  });

  it('rolls back without the token of the operator, and without progress', async () => {
    scripted({ status: 200, body: { value: PLAN } }, rejection(401, 'This call needs a token'));
    expect(await catalog.run(['rollback', 'oven', '--yes'])).toMatchObject({
      exit: 0,
      out: expect.stringContaining('aspects taken back'),
    });
    expect(asked.filter((call) => call.startsWith('/operations/tasks'))).toHaveLength(1);
  });

  it('exits with 1 when aspects had to stay, and when the catalog rejects the call', async () => {
    scripted({ status: 200, body: { value: { ...PLAN, aspectsLeft: 1, left: [] } } });
    expect((await catalog.run(['rollback', 'oven', '--yes'])).exit).toBe(1);
    scripted(rejection(503, 'The task node:7 is paused'));
    expect(await catalog.run(['rollback', 'oven', '--yes'])).toMatchObject({
      err: expect.stringContaining('The task node:7 is paused'),
    });
  });

  it('says that nothing was done when it is interrupted before', async () => {
    const interrupt = new AbortController();
    catalog.reply = () => {
      interrupt.abort();
      return { status: 200, body: { value: PLAN } };
    };
    expect(await catalog.run(['rollback', 'oven', '--yes'], { interrupted: interrupt.signal })).toMatchObject(
      { exit: 130, err: 'interrupted; nothing was taken back\n' },
    );
  });

  it('lets the catalog continue when interrupted', async () => {
    const interrupt = new AbortController();
    catalog.reply = (_, body) => {
      if (!body.includes('"dryRun":true')) interrupt.abort();
      return { status: 200, body: { value: PLAN } };
    };
    expect(await catalog.run(['rollback', 'oven', '--yes'], { interrupted: interrupt.signal })).toMatchObject(
      { exit: 130, err: 'interrupted; the rollback of oven goes on\n' },
    );
  });
});
