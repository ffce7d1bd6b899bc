import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Task } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import type { ClaimedTask, TaskStore } from '@stratalog/ports';
import { openEmptyTasks } from '../testing/empty-tasks';
import { useSuiteDatabase } from '../testing/suite-database';

const KIND = 'count';
const ACTOR = 'urn:li:corpuser:tester';

describe('PostgresTaskStore', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let tasks: TaskStore;
  let expireLeases: () => Promise<void>;

  beforeEach(async () => {
    ({ tasks, expireLeases } = await openEmptyTasks(suite.database));
  });

  const create = async (parameters: JsonObject = {}, kind = KIND): Promise<Task> =>
    (await tasks.create({ kind, parameters, actor: ACTOR })).task;
  const claim = async (owner = 'one'): Promise<ClaimedTask> => {
    const claimed = await tasks.claim(owner, [KIND]);
    if (claimed === undefined) throw new Error('nothing to claim');
    return claimed;
  };
  const read = async (id: number): Promise<Task> => {
    const task = await tasks.read(id);
    if (task === undefined) throw new Error(`no task ${String(id)}`);
    return task;
  };
  const stepTo = (done: number) => ({
    checkpoint: { at: done },
    progress: { done, total: 10 },
    workedMs: 5,
  });

  it('keeps a task with everything that is recorded of it', async () => {
    const created = await create({ up: { to: [1, 'x'] } });
    expect(created).toMatchObject({
      kind: KIND,
      state: 'queued',
      actor: ACTOR,
      progress: { done: 0 },
      log: [],
    });
    const { lease, task } = await claim();
    expect(task).toMatchObject({
      id: created.id,
      state: 'running',
      owner: 'one',
      parameters: created.parameters,
    });
    expect(await tasks.record(lease, { ...stepTo(3), log: ['a', 'b'] })).toBe('running');
    expect(await tasks.record(lease, { ...stepTo(4), log: ['c'] })).toBe('running');
    const running = await read(created.id);
    expect(running).toMatchObject({
      checkpoint: { at: 4 },
      progress: { done: 4, total: 10 },
      workedMs: 10,
    });
    expect(running.log.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    expect(
      await tasks.end(lease, { state: 'completed', outcome: { sum: 6 }, workedMs: 1, log: ['end'] }),
    ).toBe(true);
    const ended = await read(created.id);
    expect(ended).toMatchObject({
      state: 'completed',
      outcome: { sum: 6 },
      workedMs: 11,
      checkpoint: { at: 4 },
    });
    expect(ended.endedMs).toBeGreaterThanOrEqual(ended.startedMs ?? Infinity);
  });

  it('keeps the newest hundred entries of the log', async () => {
    const { id } = await create();
    const { lease } = await claim();
    const texts = Array.from({ length: 130 }, (_, at) => String(at));
    await tasks.record(lease, { ...stepTo(1), log: texts.slice(0, 60) });
    await tasks.record(lease, { ...stepTo(1), log: texts.slice(60) });
    expect((await read(id)).log.map(({ text }) => text)).toEqual(texts.slice(30));
  });

  it('TaskStore has one task of the same kind and parameters until that has ended', async () => {
    const first = await create({ index: 'search' });
    expect(await tasks.create({ kind: KIND, parameters: { index: 'search' }, actor: 'other' })).toMatchObject(
      {
        isNew: false,
        task: { id: first.id },
      },
    );
    expect((await create({ index: 'graph' })).id).not.toBe(first.id);
    expect((await create({ index: 'search' }, 'other')).id).not.toBe(first.id);
    const { lease } = await claim();
    await tasks.end(lease, { state: 'failed', reason: 'for a reason', failure: 'not-found' });
    const failed = { state: 'failed', reason: 'for a reason', failure: 'not-found' };
    expect(await read(first.id)).toMatchObject(failed);
    expect((await create({ index: 'search' })).id).toBeGreaterThan(first.id);
  });

  it('creates one task for callers at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => create({ at: 'once' })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });

  it('gives each task to one process, the oldest first', async () => {
    const ids = [];
    for (const at of [1, 2, 3]) ids.push((await create({ at })).id);
    const claimed = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => tasks.claim(owner, [KIND])));
    const owned = claimed.flatMap((each) => (each === undefined ? [] : [each.task.id]));
    expect([...owned].sort()).toEqual(ids);
    expect(await tasks.claim('e', ['another kind'])).toBeUndefined();
  });

  it('lets a process that lost its lease write nothing', async () => {
    const { id } = await create();
    const lost = await claim('one');
    await tasks.record(lost.lease, stepTo(2));
    expect(await tasks.claim('two', [KIND])).toBeUndefined();
    await expireLeases();
    const taken = await claim('two');
    expect(taken.task).toMatchObject({ id, owner: 'two', checkpoint: { at: 2 }, progress: { done: 2 } });
    expect(await tasks.renew(lost.lease)).toBe('lost');
    expect(await tasks.record(lost.lease, stepTo(9))).toBe('lost');
    expect(await tasks.end(lost.lease, { state: 'completed' })).toBe(false);
    await tasks.release(lost.lease);
    expect(await tasks.renew(taken.lease)).toBe('running');
    expect(await read(id)).toMatchObject({ state: 'running', owner: 'two', checkpoint: { at: 2 } });
  });

  it('writes the effects of a step with its checkpoint, or neither', async () => {
    await create({ effect: 'task' });
    const { lease } = await claim();
    // The effect is another write of the same store, on its own connection afterwards: only a result counts here.
    const written = await tasks.recordWithin(lease, () => Promise.resolve({ ...stepTo(1), extra: 'kept' }));
    expect(written).toMatchObject({ state: 'running', step: { extra: 'kept' } });
    await expect(tasks.recordWithin(lease, () => Promise.reject(new Error('no')))).rejects.toThrow();
    expect((await read(lease.id)).checkpoint).toEqual({ at: 1 });
    await expireLeases();
    await claim('two');
    expect(await tasks.recordWithin(lease, () => Promise.resolve(stepTo(7)))).toEqual({ state: 'lost' });
    expect((await read(lease.id)).checkpoint).toEqual({ at: 1 });
  });

  it('hands a released task to another process at once', async () => {
    const { id } = await create();
    const { lease } = await claim('one');
    await tasks.record(lease, stepTo(5));
    await tasks.release(lease);
    expect((await claim('two')).task).toMatchObject({ id, checkpoint: { at: 5 } });
  });

  it('tells the process what operators want', async () => {
    const { id } = await create();
    const { lease } = await claim();
    expect(await tasks.request(id, 'pause', ACTOR)).toMatchObject({ state: 'pausing' });
    expect(await tasks.record(lease, stepTo(1))).toBe('pausing');
    expect(await tasks.request(id, 'resume', ACTOR)).toMatchObject({ state: 'running' });
    expect(await tasks.renew(lease)).toBe('running');
    expect(await tasks.request(id, 'cancel', ACTOR)).toMatchObject({ state: 'cancelling' });
    expect(await tasks.renew(lease)).toBe('cancelling');
    await tasks.end(lease, { state: 'cancelled' });
    expect((await read(id)).log.map(({ text }) => text)).toEqual(
      ['pause', 'resume', 'cancel'].map((request) => `${request} by ${ACTOR}`),
    );
    expect(await tasks.request(id, 'resume', ACTOR)).toMatchObject({ state: 'cancelled' });
    expect(await tasks.request(id + 1_000, 'pause', ACTOR)).toBeUndefined();
  });

  it('obeys a request although the process of the task is lost', async () => {
    const { id } = await create();
    await claim('one');
    await tasks.request(id, 'pause', ACTOR);
    await expireLeases();
    const { lease, task } = await claim('two');
    expect(task.state).toBe('pausing');
    await tasks.end(lease, { state: 'paused' });
    expect(await tasks.claim('two', [KIND])).toBeUndefined();
    await tasks.request(id, 'resume', ACTOR);
    expect((await claim('two')).task.id).toBe(id);
  });

  it('applies a request to a task without a process at once', async () => {
    const paused = await create({ at: 1 });
    expect(await tasks.request(paused.id, 'pause', ACTOR)).toMatchObject({ state: 'paused' });
    expect((await tasks.request(paused.id, 'pause', ACTOR))?.log).toHaveLength(1);
    const cancelled = await create({ at: 2 });
    await tasks.request(cancelled.id, 'cancel', ACTOR);
    expect((await read(cancelled.id)).endedMs).toBeDefined();
    expect(await tasks.claim('one', [KIND])).toBeUndefined();
  });

  describe('of tasks that share a subject', () => {
    const createFor = async (subjects: readonly string[], kind = KIND): Promise<number> =>
      (await tasks.create({ kind, parameters: { subjects: [...subjects] }, actor: ACTOR, subjects })).task.id;
    const end = async (id: number): Promise<void> => {
      const claimed = await claim();
      expect(claimed.task.id).toBe(id);
      await tasks.end(claimed.lease, { state: 'completed' });
    };

    it('gives the later one out when the earlier one has ended', async () => {
      const first = await createFor(['a']);
      const second = await createFor(['b', 'a'], 'other');
      const third = await createFor(['b']);
      const free = await createFor(['c']);
      expect((await claim()).task.id).toBe(first);
      expect((await claim()).task.id).toBe(free);
      expect(await tasks.claim('two', [KIND, 'other'])).toBeUndefined();
      expect(await tasks.findBlockers([first, second, third, free])).toEqual(
        new Map([
          [second, first],
          [third, second],
        ]),
      );
      await tasks.request(first, 'pause', ACTOR);
      await expireLeases();
      await tasks.end((await claim()).lease, { state: 'paused' });
      expect((await claim()).task.id).toBe(free);
      expect(await tasks.claim('two', [KIND, 'other'])).toBeUndefined();
      await tasks.request(first, 'resume', ACTOR);
      await end(first);
      const taken = await tasks.claim('two', ['other']);
      expect(taken?.task).toMatchObject({ id: second, subjects: ['b', 'a'] });
      expect(await tasks.claim('two', [KIND, 'other'])).toBeUndefined();
      await tasks.request(second, 'cancel', ACTOR);
      if (taken !== undefined) await tasks.end(taken.lease, { state: 'cancelled' });
      await end(third);
    });

    it('runs one at a time, also when several create and claim them at once', async () => {
      await Promise.all(Array.from({ length: 8 }, (_, at) => createFor(['same', String(at)])));
      for (let left = 8; left > 0; left--) {
        const claims = await Promise.all(['a', 'b', 'c'].map((owner) => tasks.claim(owner, [KIND])));
        const [claimed, ...more] = claims.filter((each) => each !== undefined);
        expect([claimed === undefined, more]).toEqual([false, []]);
        if (claimed !== undefined) await tasks.end(claimed.lease, { state: 'completed' });
      }
    });
  });

  it('lists the newest first, by state, kind and number', async () => {
    const made: Task[] = [];
    for (const at of [1, 2, 3, 4]) made.push(await create({ at }, at === 4 ? 'other' : KIND));
    await claim();
    const ids = async (query: Partial<Parameters<TaskStore['list']>[0]>): Promise<readonly number[]> =>
      (await tasks.list({ limit: 10, ...query })).map(
        ({ id }) => made.findIndex((each) => each.id === id) + 1,
      );
    expect(await ids({})).toEqual([4, 3, 2, 1]);
    expect(await ids({ limit: 2 })).toEqual([4, 3]);
    expect(await ids({ limit: 0 })).toEqual([]);
    expect(await ids({ before: made[2]?.id })).toEqual([2, 1]);
    expect(await ids({ kind: KIND, states: ['queued'] })).toEqual([3, 2]);
    expect(await ids({ states: ['running'] })).toEqual([1]);
  });

  it('counts the tasks that have not ended, by kind and state', async () => {
    for (const at of [1, 2, 3]) await create({ at });
    await create({}, 'other');
    await claim();
    const { lease } = await claim();
    await tasks.end(lease, { state: 'completed' });
    const counted = (await tasks.countUnfinished()).map(({ kind, state, count }) =>
      [kind, state, count].join(' '),
    );
    expect(counted.sort()).toEqual([`${KIND} queued 1`, `${KIND} running 1`, 'other queued 1']);
  });

  it('deletes tasks that ended long ago, but the newest of each kind', async () => {
    for (const [at, kind] of [KIND, KIND, 'other', KIND].entries()) {
      await create({ at }, kind);
      const claimed = at < 3 ? await tasks.claim('one', [kind]) : undefined;
      if (claimed !== undefined) await tasks.end(claimed.lease, { state: 'completed' });
    }
    const listed = async (): Promise<unknown> =>
      (await tasks.list({ limit: 10 })).map(({ parameters }) => parameters.at);
    expect([await tasks.purge(3_600_000), await listed()]).toEqual([0, [3, 2, 1, 0]]);
    expect([await tasks.purge(-3_600_000), await listed()]).toEqual([1, [3, 2, 1]]);
  });

  const run = (statement: string) =>
    suite.database.use(async (client) => (await client.query<Record<string, unknown>>(statement)).rows);

  it('finds the newest task of a kind by an index', async () => {
    await run(
      `insert into task (kind, parameters, parameters_digest, actor, state, ended)
       select 'frequent', '{}', n, 'a', 'completed', now() from generate_series(1, 5000) n`,
    );
    await run('analyze task');
    const plan = await run(`explain select * from task where kind = 'rare' order by id desc limit 1`);
    expect(JSON.stringify(plan)).toContain('using task_kind');
  });
});
