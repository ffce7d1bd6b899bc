import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidRequestError, UnavailableError, type Task, type TaskState } from '@stratalog/domain';
import { TaskRunner, completeTask, defineTaskKind, type TaskSchedule, type TaskStep } from '@stratalog/tasks';
import * as z from 'zod';
import { until } from '@stratalog/testkit';
import { openEmptyTasks, type TasksUnderTest } from '../testing/empty-tasks';
import { useSuiteDatabase } from '../testing/suite-database';

const PARAMETERS = z.object({ to: z.number(), how: z.string() });
const CHECKPOINT = z.object({ at: z.number() });
/** A kind whose tasks the catalog requests by itself. */
const OWN = { name: 'count-own', isOwn: true } as const;
type Checkpoint = z.infer<typeof CHECKPOINT>;

describe('TaskRunner over PostgreSQL', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let test: TasksUnderTest;
  let runners: TaskRunner[];
  let faults: unknown[];
  /** The steps that any runner has started, as `runner:step`. */
  let steps: string[];
  /** The requests that kinds have obeyed, as `runner:request:step`. */
  let obeyed: string[];
  /** Steps wait for it, where the test holds them. */
  let gate: Promise<void> | undefined;
  let openGate = (): void => undefined;

  beforeEach(async () => {
    test = await openEmptyTasks(suite.database);
    runners = [];
    faults = [];
    steps = [];
    obeyed = [];
    gate = undefined;
  });
  afterEach(async () => {
    openGate();
    await Promise.all(runners.map((runner) => runner.stop()));
  });
  const closeGate = (): void => {
    gate = new Promise((resolve) => {
      openGate = resolve;
    });
  };
  /** Counts up to `to`, one per step. */
  const counting = (name: string, kind: { name: string; isOwn?: true } = { name: 'count' }) =>
    defineTaskKind({
      ...kind,
      parameters: PARAMETERS,
      checkpoint: CHECKPOINT,
      subjects: ({ how }) => (how === 'held' || how === 'down' ? ['counter'] : []),
      start: ({ parameters: { to } }) =>
        Promise.resolve({ checkpoint: { at: 0 }, progress: { done: 0, total: to }, log: ['began'] }),
      obey: async (request, { parameters: { how } }, { checkpoint: { at } }) => {
        obeyed.push(`${name}:${request}:${String(at)}`);
        if (how === 'lingers' && request === 'pause') await gate;
      },
      step: {
        alone: async ({ parameters: { to, how } }, { checkpoint: { at } }): Promise<TaskStep<Checkpoint>> => {
          steps.push(`${name}:${String(at)}`);
          if (how === 'held' || how === 'lingers') await gate;
          if (how === 'waits') return { kind: 'wait', pauseMs: 20 };
          if (how === 'rejects') throw new InvalidRequestError('the reason for the caller');
          if (how === 'breaks') throw new Error('secrets of ours');
          if (how === 'down' || how === 'stalls') throw new UnavailableError('no answer yet');
          const isFirst = steps.filter((step) => step.endsWith(`:${String(at)}`)).length === 1;
          if (how.endsWith('stumbles') && at === 1 && isFirst) throw new UnavailableError('no answer now');
          if (at >= to)
            return { kind: 'completed', outcome: { counted: at }, isWithoutTrace: how.startsWith('empty') };
          return { kind: 'next', checkpoint: { at: at + 1 }, progress: { done: at + 1, total: to } };
        },
      },
    });
  const start = async (name: string, schedules: readonly TaskSchedule[] = []): Promise<TaskRunner> => {
    const runner = new TaskRunner({
      store: test.tasks,
      kinds: [counting(name), counting(name, OWN)],
      owner: name,
      keepMs: 86_400_000,
      recurring: { clock: { now: () => Date.now() }, schedules },
      onFault: (_task, cause) => faults.push(cause),
    });
    runners.push(runner);
    await runner.start();
    return runner;
  };
  const create = async (how: string, to = 3, kind?: typeof OWN): Promise<number> =>
    (await test.tasks.create(counting('', kind).newTask({ to, how }, 'urn:li:corpuser:tester'))).task.id;
  const read = async (id: number): Promise<Task> => {
    const task = await test.tasks.read(id);
    if (task === undefined) throw new Error('no task');
    return task;
  };
  const reaches = async (id: number, state: TaskState): Promise<Task> => {
    await until(async () => (await read(id)).state === state);
    return read(id);
  };

  it('runs a task step by step to its end', async () => {
    const id = await create('plain');
    await start('a');
    expect(await reaches(id, 'completed')).toMatchObject({
      outcome: { counted: 3 },
      progress: { done: 3, total: 3 },
      log: [{ text: 'began' }],
    });
    expect(steps).toEqual(['a:0', 'a:1', 'a:2', 'a:3']);
  });

  it('shares many tasks among processes, and runs no step twice', async () => {
    const ids = [];
    for (let to = 1; to <= 12; to++) ids.push(await create('plain', to));
    await Promise.all(['a', 'b', 'c'].map((name) => start(name)));
    for (const id of ids) await reaches(id, 'completed');
    expect(steps).toHaveLength(ids.reduce((sum, _, at) => sum + at + 2, 0));
  });

  it.each(['waits', 'down'])(
    'runs other tasks while many of its kind and of another have nothing to do: %s',
    async (how) => {
      const waiting = [];
      for (let to = 1; to <= 6; to++) waiting.push(await create(how === 'down' ? 'stalls' : how, to));
      for (let to = 1; to <= 30; to++) waiting.push(await create(how === 'down' ? 'stalls' : how, to, OWN));
      await start('a');
      await until(() => steps.length >= 14);
      const id = await create('plain');
      expect(await reaches(id, 'completed')).toMatchObject({ outcome: { counted: 3 } });
      for (const each of waiting) expect((await read(each)).endedMs).toBeUndefined();
    },
  );

  it('runs tasks of operators while the catalog works on as many of its own as it may', async () => {
    closeGate();
    for (let to = 1; to <= 8; to++) await create('lingers', to, OWN);
    await start('a');
    await until(() => steps.length === 4);
    await reaches(await create('plain'), 'completed');
    expect(steps.slice(0, 4)).toEqual(['a:0', 'a:0', 'a:0', 'a:0']);
  });

  it(
    'gives every task of a kind its turn, however many others of that kind wait',
    async () => {
      const waiting = [];
      for (let to = 1; to <= 8; to++) waiting.push(await create('waits', to));
      await start('a');
      await until(() => steps.length >= 8);
      await reaches(await create('plain'), 'completed');
      await test.tasks.request(waiting[0] ?? 0, 'cancel', 'urn:li:corpuser:tester');
      await reaches(waiting[0] ?? 0, 'cancelled');
    },
    limitMs(60_000),
  );

  it('continues a task from its checkpoint after its process was lost', async () => {
    const id = await create('plain', 3);
    const claimed = await test.tasks.claim('dead', ['count']);
    if (claimed === undefined) throw new Error('nothing to claim');
    const step = { checkpoint: { at: 2 }, progress: { done: 2, total: 3 }, workedMs: 1 };
    await test.tasks.record(claimed.lease, step);
    await start('b');
    await reaches(await create('plain', 1), 'completed');
    expect(steps).toEqual(['b:0', 'b:1']);
    await test.expireLeases();
    expect(await reaches(id, 'completed')).toMatchObject({ owner: 'b', outcome: { counted: 3 } });
    expect(steps.slice(2)).toEqual(['b:2', 'b:3']);
    expect(await test.tasks.record(claimed.lease, step)).toBe('lost');
  });

  it('writes nothing after another process has taken its task over', async () => {
    closeGate();
    const id = await create('held', 5);
    await start('a');
    await until(() => steps.includes('a:0'));
    await test.expireLeases();
    const taken = await test.tasks.claim('b', ['count']);
    openGate();
    await runners[0]?.stop();
    expect(steps).toEqual(['a:0']);
    expect(await read(id)).toMatchObject({ owner: 'b', checkpoint: { at: 0 }, state: 'running' });
    expect(taken?.task.id).toBe(id);
  });

  it('hands its tasks over when it stops', async () => {
    closeGate();
    const id = await create('held', 4);
    const first = await start('a');
    await until(() => steps.includes('a:0'));
    const stopped = first.stop();
    openGate();
    await stopped;
    expect(await read(id)).toMatchObject({ state: 'running', checkpoint: { at: 1 } });
    await start('b');
    await reaches(id, 'completed');
    expect(steps).toEqual(['a:0', 'b:1', 'b:2', 'b:3', 'b:4']);
  });

  it('pauses, resumes and cancels between two steps', async () => {
    closeGate();
    const id = await create('held', 4);
    await start('a');
    await until(() => steps.length === 1);
    await test.tasks.request(id, 'pause', 'urn:li:corpuser:tester');
    openGate();
    expect(await reaches(id, 'paused')).toMatchObject({ checkpoint: { at: 1 } });
    closeGate();
    await test.tasks.request(id, 'resume', 'urn:li:corpuser:tester');
    await until(() => steps.length === 2);
    await test.tasks.request(id, 'cancel', 'urn:li:corpuser:tester');
    openGate();
    expect(await reaches(id, 'cancelled')).toMatchObject({ progress: { done: 2 } });
    expect(steps).toEqual(['a:0', 'a:1']);
  });

  it('passes a pause and a cancellation on to the kind, also that of a paused task', async () => {
    closeGate();
    const id = await create('held', 4);
    await start('a');
    await until(() => steps.length === 1);
    await test.tasks.request(id, 'pause', 'urn:li:corpuser:tester');
    openGate();
    await reaches(id, 'paused');
    expect(obeyed).toEqual(['a:pause:1']);
    await test.tasks.request(id, 'cancel', 'urn:li:corpuser:tester');
    await reaches(id, 'cancelled');
    expect(obeyed).toEqual(['a:pause:1', 'a:cancel:1']);
    expect(steps).toEqual(['a:0']);
  });

  it('obeys a cancellation that comes while the kind obeys a pause', async () => {
    closeGate();
    const id = await create('lingers');
    await start('a');
    await until(() => steps.length === 1);
    await test.tasks.request(id, 'pause', 'urn:li:corpuser:tester');
    const endStep = openGate;
    closeGate();
    endStep();
    await until(() => obeyed.length === 1);
    await test.tasks.request(id, 'cancel', 'urn:li:corpuser:tester');
    openGate();
    await reaches(id, 'cancelled');
    expect(obeyed).toEqual(['a:pause:1', 'a:cancel:1']);
  });

  it('repeats a step whose servers do not answer, and notes why', async () => {
    const id = await create('stumbles');
    await start('a');
    const task = await reaches(id, 'completed');
    expect(steps).toEqual(['a:0', 'a:1', 'a:1', 'a:2', 'a:3']);
    expect(task.log.map(({ text }) => text)).toEqual(['began', 'waits: no answer now', 'goes on']);
  });

  it('says why a task failed, and keeps faults of ours to itself', async () => {
    const rejected = await create('rejects');
    const broken = await create('breaks');
    await start('a');
    expect(await reaches(rejected, 'failed')).toMatchObject({ reason: 'the reason for the caller' });
    expect((await reaches(broken, 'failed')).reason).not.toContain('secrets');
    expect(faults.map(String)).toEqual(['Error: secrets of ours']);
  });

  describe('a call that waits for its task', () => {
    const store = { identity: { storeId: '0123456789abcdef0123456789abcdef' } };
    const complete = (how: string, to = 3) =>
      completeTask(
        { tasks: test.tasks, store, onTask: () => undefined },
        counting('').newTask({ to, how }, 'urn:li:corpuser:tester'),
      );

    it('answers the outcome', async () => {
      await start('a');
      expect((await complete('plain')).outcome).toEqual({ counted: 3 });
    });

    it('fails with the error of the task', async () => {
      await start('a');
      await expect(complete('rejects')).rejects.toMatchObject({
        code: 'invalid-request',
        message: expect.stringContaining('the reason for the caller'),
      });
      await expect(complete('breaks')).rejects.not.toHaveProperty('code');
    });

    it('fails when the task waits for one that an operator paused', async () => {
      const first = await create('held', 4);
      await test.tasks.request(first, 'pause', 'urn:li:corpuser:tester');
      await start('a');
      await expect(complete('held')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/ waits for the task 0123456789abcdef012345:1, which is paused$/),
      });
    });

    it('fails when the task waits for one that waits for a server', async () => {
      await create('down');
      await start('a');
      await expect(complete('held')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/:2 waits for the task [0-9a-f]+:1, which waits: no answer yet$/),
      });
    });

    it('fails when the task before it waits for one that an operator paused', async () => {
      const other = { kind: 'other', parameters: {}, actor: 'urn:li:corpuser:tester' };
      const { task } = await test.tasks.create({ ...other, subjects: ['far'] });
      await test.tasks.request(task.id, 'pause', 'urn:li:corpuser:tester');
      await test.tasks.create({ ...other, parameters: { n: 2 }, subjects: ['far', 'counter'] });
      await expect(complete('held')).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/:3 waits for the task [0-9a-f]+:1, which is paused$/),
      });
    });
  });

  describe('work that recurs', () => {
    const recurring = (how: string, everyMs: number): TaskSchedule => ({
      task: counting('').newTask({ to: 1, how }, 'urn:li:corpuser:system'),
      everyMs,
    });

    it('TaskRunner work that recurs is requested once in its time, by all processes together', async () => {
      const schedule = recurring('plain', 3_600_000);
      await Promise.all(['a', 'b', 'c'].map((name) => start(name, [schedule])));
      await until(async () => (await test.tasks.list({ states: ['completed'], limit: 9 })).length > 0);
      await Promise.all(runners.map((runner) => runner.stop()));
      expect(await test.tasks.list({ limit: 9 })).toHaveLength(1);
    });

    it('leaves no record of a turn that found nothing to do', async () => {
      await start('a', [recurring('empty', 1)]);
      await until(() => steps.filter((step) => step === 'a:1').length >= 2);
      await runners[0]?.stop();
      expect(await test.tasks.list({ states: ['completed'], limit: 9 })).toEqual([]);
    });

    it('leaves a record of a turn that was interrupted, whatever was left to do', async () => {
      const lost = await create('empty', 0);
      await test.tasks.claim('dead', ['count']);
      await test.expireLeases();
      const repeated = await create('empty-stumbles');
      await start('a');
      for (const id of [lost, repeated]) await reaches(id, 'completed');
    });

    it('TaskRunner work that recurs is not requested while its last turn is paused, nor after an error that says that it must not be done', async () => {
      const { task } = await test.tasks.create(recurring('paused', 1).task);
      await test.tasks.request(task.id, 'pause', 'urn:li:corpuser:tester');
      const failing = {
        ...recurring('failing', 1),
        readLast: () => Promise.reject(new UnavailableError('not now')),
      };
      const runner = await start('a', [recurring('paused', 1), failing]);
      await until(() => runner.status().state === 'retrying');
      expect((await test.tasks.list({ limit: 9 })).map(({ id }) => id)).toEqual([task.id]);
    });
  });

  it('fails a task whose parameters another version of the program wrote', async () => {
    const { task } = await test.tasks.create({ kind: 'count', parameters: { from: 1 }, actor: 'a' });
    await start('a');
    await reaches(task.id, 'failed');
    expect(faults).toHaveLength(1);
  });
});
