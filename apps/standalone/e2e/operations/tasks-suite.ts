import { describe, expect, it } from '@jest/globals';
import type { TaskState } from '@stratalog/domain';
import { parseJson, stringifyJson, type JsonObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { ACTOR, WITH_TOKEN, type OperatorCalls } from './operator-calls';

/** Tasks: their states, control and events. */
export function tasksSuite({ catalog, ask, get }: OperatorCalls): void {
  describe('getEsTaskStatus', () => {
    it.each([
      [{}, 'Please specify either Node ID + task ID OR composite task parameters'],
      [{ nodeId: 'n' }, 'Please specify either Node ID + task ID OR composite task parameters'],
      [
        { nodeId: 'n', taskId: 1, task: 'n:2' },
        'Please specify only one of Node ID + task ID OR composite task parameters',
      ],
      [
        { task: 'n:0' },
        'Task should be in the form nodeId:taskId e.g. aB1cdEf2GHIJKLMnoPQr3S:123456 (got n:0)',
      ],
    ])('rejects %j', async (body, message) => {
      const { status, json } = await ask('getEsTaskStatus', body);
      expect([status, at(json, 'message')]).toEqual([400, message]);
    });

    it.each([
      [{ task: 'aB1cdEf2GHIJKLMnoPQr3S:123456' }, 'aB1cdEf2GHIJKLMnoPQr3S:123456'],
      [{ task: 'n:9223372036854775807' }, 'n:9223372036854775807'],
      [{ nodeId: 'n', taskId: '7' }, 'n:7'],
    ])('answers %j with an error in its text', async (body, name) => {
      const { status, json } = await ask('getEsTaskStatus', body);
      const error = `Could not get task status for ${name}`;
      expect([status, json]).toEqual([200, { value: stringifyJson({ error }) }]);
    });
  });

  describe('tasks', () => {
    /** A task that no process runs, because none has its kind. */
    const create = async (n: number): Promise<string> => {
      const { task } = await catalog.deps.tasks.create({ kind: 'idle', parameters: { n }, actor: ACTOR });
      return String(task.id);
    };

    it('are listed, the newest first', async () => {
      const ids = [await create(1), await create(2), await create(3)].map(Number);
      const listed = async (query: string): Promise<unknown> => {
        const tasks = at((await get(query)).json, 'tasks') as unknown as readonly { readonly id: number }[];
        return tasks.map(({ id }) => id);
      };
      expect(await listed('?kind=idle')).toEqual(ids.toReversed());
      expect(await listed(`?kind=idle&before=${String(ids[2])}&count=1`)).toEqual([ids[1]]);
      expect(await listed('?kind=idle&state=completed')).toEqual([]);
      expect((await get('?state=done')).status).toBe(400);
      expect((await catalog.http.get('/operations/tasks')).status).toBe(401);
    });

    it('are paused, resumed and cancelled', async () => {
      const task = await create(4);
      const control = async (action: string): Promise<unknown> => {
        const answer = await ask(action, { task });
        return at(answer.json, 'value', 'state');
      };
      expect(await control('pauseTask')).toBe('paused');
      expect(await control('pauseTask')).toBe('paused');
      expect(await control('resumeTask')).toBe('queued');
      expect(await control('cancelTask')).toBe('cancelled');
      expect(await control('resumeTask')).toBe('cancelled');
      const { json } = await get(`/${task}`);
      const log = at(json, 'log') as unknown as readonly { readonly text: string }[];
      expect(log.map(({ text }) => text)).toEqual(
        ['pause', 'resume', 'cancel'].map((request) => `${request} by ${ACTOR}`),
      );
    });

    it('tasks that have ended begin again with the same parameters, and others are answered as they are', async () => {
      const parameters = { n: 6 };
      const subjects = ['idle subject'];
      const { task } = await catalog.deps.tasks.create({ kind: 'idle', parameters, actor: 'x', subjects });
      const restart = async () => at((await ask('restartTask', { task: String(task.id) })).json, 'value');
      expect(await restart()).toMatchObject({ id: task.id, state: 'queued', requestedBy: 'x' });
      await ask('cancelTask', { task: String(task.id) });
      const again = await restart();
      expect(again).toMatchObject({ kind: 'idle', parameters, state: 'queued', requestedBy: ACTOR });
      const id = at(again, 'id') as number;
      expect(id).toBeGreaterThan(task.id);
      expect((await catalog.deps.tasks.read(id))?.subjects).toEqual(subjects);
      expect(at(await restart(), 'id')).toBe(id);
      await ask('cancelTask', { task: String(id) });
      expect((await ask('restartTask', { task: '999999999' })).status).toBe(404);
    });

    it('take turns on an index: a rebuild waits for the task before it, and a pause of that one holds', async () => {
      const before = await catalog.deps.tasks.create({
        kind: 'idle',
        parameters: { index: 'search' },
        actor: ACTOR,
        subjects: ['index search'],
      });
      await catalog.deps.tasks.request(before.task.id, 'pause', ACTOR);
      const rebuild = at((await ask('rebuildIndices', {})).json, 'value', 'task') as string;
      const graph = at((await ask('rebuildIndices', { index: 'graph' })).json, 'value', 'task') as string;
      const name = (id: number): string => `${rebuild.split(':')[0] ?? ''}:${String(id)}`;
      expect((await get(`/${rebuild}`)).json).toMatchObject({
        state: 'queued',
        waitsFor: name(before.task.id),
      });
      expect((await get(`/${graph}`)).json).toMatchObject({ state: 'queued', waitsFor: rebuild });
      await ask('cancelTask', { task: String(before.task.id) });
      for (const task of [rebuild, graph]) {
        await until(async () => at((await get(`/${task}`)).json, 'state') === 'completed');
        expect(at((await get(`/${task}`)).json, 'waitsFor')).toBeUndefined();
      }
    });

    it('include the passes of retention that purge something, and no others', async () => {
      const urn = 'urn:li:glossaryNode:retained';
      const policy = 'urn:li:dataHubRetention:(glossaryNode,glossaryNodeInfo)';
      const passes = async (): Promise<readonly JsonObject[]> =>
        at(
          (await get('?kind=apply-retention&state=completed')).json,
          'tasks',
        ) as unknown as readonly JsonObject[];
      for (const name of ['a', 'b', 'c'])
        await catalog.http.write(urn, 'glossaryNodeInfo', { definition: name });
      const value = { retention: { version: { maxVersions: 1 } } };
      const aspect = { aspectName: 'dataHubRetentionConfig', value, headers: WITH_TOKEN };
      expect((await catalog.http.ingest({ urn: policy, ...aspect })).status).toBe(200);
      await until(async () => (await passes()).length > 0);
      const { retentionStore } = catalog.deps;
      const first = await retentionStore.readLastPass();
      await until(async () => (await retentionStore.readLastPass()) !== first);
      const second = await retentionStore.readLastPass();
      await until(async () => (await retentionStore.readLastPass()) !== second);
      const done = await passes();
      expect(done).toEqual([
        expect.objectContaining({
          requestedBy: 'urn:li:corpuser:__datahub_system',
          outcome: { aspects: expect.any(Number), cut: 1, versions: 2 },
        }),
      ]);
    });

    it.each(['0', '-1', 'x', '1:2:3', 'node', '9223372036854775808'])('are not named by %s', async (task) => {
      expect([(await get(`/${task}`)).status, (await ask('pauseTask', { task })).status]).toEqual([400, 400]);
    });

    it.each(['999999999', '9223372036854775807', 'node:1'])('are not found by %s', async (task) => {
      expect([(await get(`/${task}`)).status, (await ask('cancelTask', { task })).status]).toEqual([
        404, 404,
      ]);
      expect((await get(`/${task}/events`)).status).toBe(404);
    });

    /** Follows a task, and collects what arrives. */
    const follow = async (task?: string) => {
      const leaving = new AbortController();
      const path = task === undefined ? 'events' : `${task}/events`;
      const response = await fetch(`${catalog.url}/operations/tasks/${path}`, {
        headers: { ...WITH_TOKEN, accept: 'text/event-stream' },
        signal: leaving.signal,
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      let text = '';
      const reading = (async () => {
        for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
      })();
      return {
        /** Leaves a stream without end, and returns the events of a task: their names, and the states that they tell. */
        leave: async (id: number) => {
          leaving.abort();
          await reading.catch(() => undefined);
          return text.split('\n\n').flatMap((event) => {
            const [name = '', data = ''] = event.split('\n');
            const told = data === '' ? undefined : parseJson(data.replace(/^data: /, ''));
            return at(told, 'id') === id ? [[name, at(told, 'state'), at(told, 'log')]] : [];
          });
        },
        tells: (id: number, state: TaskState) =>
          until(() => new RegExp(`"id":${String(id)},"kind":"[^"]*","state":"${state}"`).test(text)),
        reaches: (state: TaskState) => until(() => text.includes(`"state":"${state}"`)),
        /** The names of the events up to the end of the stream, and the task of the last one. */
        end: async () => {
          await reading;
          const events = text.split('\n\n').filter((event) => event !== '');
          const last = events.at(-1)?.split('\n')[1] ?? '';
          return {
            names: events.map((event) => event.split('\n')[0]),
            task: parseJson(last.replace(/^data: /, '')),
          };
        },
      };
    };

    it('are followed by server-sent events', async () => {
      const task = await create(5);
      const target = `/operations/tasks/${task}/events`;
      const head = await catalog.http.send({ method: 'HEAD', target, headers: WITH_TOKEN });
      expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
      const followed = await follow(task);
      await followed.reaches('queued');
      await ask('pauseTask', { task });
      await followed.reaches('paused');
      await ask('cancelTask', { task });
      expect(await followed.end()).toMatchObject({
        names: ['event: progress', 'event: progress', 'event: end'],
        task: { id: Number(task), state: 'cancelled' },
      });
    });

    it('all tasks are followed in one stream: unfinished ones, new ones, and those that end', async () => {
      const { tasks } = catalog.deps;
      const [before, ended] = [Number(await create(7)), Number(await create(8))];
      await ask('cancelTask', { task: String(ended) });
      const followed = await follow();
      await followed.tells(before, 'queued');
      await ask('pauseTask', { task: String(before) });
      await followed.tells(before, 'paused');
      const { task: later } = await tasks.create({ kind: 'idle', parameters: { n: 9 }, actor: ACTOR });
      await ask('cancelTask', { task: String(later.id) });
      await followed.tells(later.id, 'cancelled');
      await ask('cancelTask', { task: String(before) });
      await followed.tells(before, 'cancelled');
      const target = '/operations/tasks/events';
      expect((await catalog.http.send({ method: 'HEAD', target, headers: WITH_TOKEN })).status).toBe(200);
      expect((await catalog.http.get(target)).status).toBe(401);
      expect(await followed.leave(before)).toEqual([
        ['event: progress', 'queued', undefined],
        ['event: progress', 'paused', undefined],
        ['event: end', 'cancelled', undefined],
      ]);
      expect(await followed.leave(ended)).toEqual([]);
      expect((await followed.leave(later.id)).at(-1)).toEqual(['event: end', 'cancelled', undefined]);
    });

    it('end for their followers also without a record', async () => {
      const { tasks } = catalog.deps;
      const { task } = await tasks.create({ kind: 'idle-in-vain', parameters: {}, actor: ACTOR });
      const followed = await follow(String(task.id));
      await followed.reaches('queued');
      const claimed = await tasks.claim('a tester', ['idle-in-vain']);
      await followed.reaches('running');
      if (claimed !== undefined) await tasks.discard(claimed.lease);
      expect(await followed.end()).toMatchObject({
        names: ['event: progress', 'event: progress', 'event: end'],
        task: { id: task.id, state: 'completed' },
      });
    });
  });
}
