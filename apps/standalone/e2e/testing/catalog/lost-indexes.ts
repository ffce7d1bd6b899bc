import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isJsonObject, stringifyJson, type JsonObject } from '@stratalog/json';
import type { NamedSubscription } from '@stratalog/ports';
import type { CatalogStage } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { STAGES } from '../../../src/stages';
import { Site, type BootedCatalog } from './booted-catalog';
import { at } from './catalog-client';

/** Damage to a search index without the catalog's knowledge. `name` is its name in the port. */
export interface SearchDamage {
  readonly remove: (site: Site, name: string) => Promise<void>;
  readonly empty: (site: Site, name: string) => Promise<void>;
  readonly forget: (site: Site, name: string, urn: string) => Promise<void>;
}

const TOKEN = 'the-token-of-the-operator';
const WITH_TOKEN = { authorization: `Bearer ${TOKEN}` };
const TAG = 'urn:li:tag:kept';
const URNS = Array.from(
  { length: 12 },
  (_, at) => `urn:li:dataset:(urn:li:dataPlatform:hive,kept.t${String(at).padStart(2, '0')},PROD)`,
);

/** A gate in front of a method: of the store's entities it holds up a build, of new versions its beginning. */
class Gate {
  /** Calls that wait. */
  waiting = 0;
  private open: Promise<void> = Promise.resolve();
  release: () => void = () => undefined;

  close(): void {
    this.open = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  gated<Guarded extends object>(guarded: Guarded, method: keyof Guarded): Guarded {
    return new Proxy(guarded, {
      get: (target, member) => {
        const found = Reflect.get(target, member, target) as unknown;
        if (typeof found !== 'function') return found;
        const call = found.bind(target) as (...given: unknown[]) => unknown;
        return member === method ? (...given: unknown[]) => this.pass(() => call(...given)) : call;
      },
    });
  }

  private async pass(call: () => unknown): Promise<unknown> {
    this.waiting += 1;
    await this.open;
    this.waiting -= 1;
    return call();
  }
}

/** The behaviour of a catalog whose indices are damaged, removed, or rebuilt on request. */
export function lostIndexesSuite(environment: Readonly<Record<string, string>>, damage: SearchDamage): void {
  const gate = new Gate();
  const creation = new Gate();
  const notices: string[] = [];
  const consumers: NamedSubscription[] = [];
  const stages = STAGES.map((stage): CatalogStage => ({
    name: stage.name,
    open: async (deps) => {
      const opened = await stage.open({
        ...deps,
        store: gate.gated(deps.store, 'urnsAfter'),
        searchIndexes: creation.gated(deps.searchIndexes, 'create'),
        graphIndexes: creation.gated(deps.graphIndexes, 'create'),
        onNotice: (message) => notices.push(message),
        onUnindexable: (urn, cause) => {
          throw new Error(urn, { cause });
        },
      });
      consumers.push(...opened.consumers);
      return opened;
    },
  }));
  let site: Site;
  let catalog: BootedCatalog;

  const boot = async (untilReady = true): Promise<void> => {
    notices.length = 0;
    consumers.length = 0;
    catalog = await site.boot({
      stages,
      untilReady,
      environment: { STRATALOG_TOKEN: TOKEN, STRATALOG_INDEX_CHECK_SECONDS: '1', ...environment },
    });
  };
  beforeAll(async () => {
    site = await Site.create();
    await boot();
    for (const urn of URNS) await catalog.http.write(urn, 'globalTags', { tags: [{ tag: TAG }] });
    await catalog.http.caughtUp();
    await until(async () => (await edges()) === URNS.length);
  }, limitMs(120_000));
  afterAll(async () => {
    gate.release();
    creation.release();
    await site.remove();
  });

  const edges = async (): Promise<number | undefined> => {
    const answer = await catalog.http.get(
      `/relationships?direction=INCOMING&urn=${encodeURIComponent(TAG)}&types=List(TaggedWith)`,
    );
    expect([200, 503]).toContain(answer.status);
    return answer.status === 200 ? Number((answer.json as JsonObject).total) : undefined;
  };
  const hits = async (): Promise<number | undefined> => {
    const answer = await catalog.http.search('kept', { count: 0 });
    expect([200, 503]).toContain(answer.status);
    if (answer.status !== 200) return undefined;
    const { value } = answer.json as JsonObject;
    return isJsonObject(value) ? Number(value.numEntities) : undefined;
  };
  const health = async () => {
    const { status } = await catalog.http.get('/health');
    return { status, body: (await catalog.health()).body };
  };
  const isReady = async (): Promise<boolean> => (await health()).status === 200;
  /** The roles that are not ready in a process that is. */
  const notReady = async (): Promise<readonly unknown[]> => {
    const { status, json } = await catalog.http.get('/health/ready');
    expect(status).toBe(200);
    const roles = at(json, 'roles') as readonly JsonObject[];
    return roles.filter((role) => role.status !== 'ready').map(({ name }) => name);
  };
  const nameOf = async (kind: 'searchIndexes' | 'graphIndexes'): Promise<string> => {
    let name: string | undefined;
    await until(async () => (name = (await catalog.deps[kind].live())?.name) !== undefined);
    return name ?? '';
  };

  it('rebuilds the search index when it is removed, and is not ready until then', async () => {
    const name = await nameOf('searchIndexes');
    gate.close();
    await damage.remove(site, name);
    await until(async () => (await health()).body.includes('building the search index'));
    expect(await isReady()).toBe(false);
    expect(await hits()).toBeUndefined();
    // Only what answers from the index has to wait for it.
    await until(async () => (await notReady()).length > 0, limitMs(30_000));
    expect(await notReady()).toEqual(['search']);
    gate.release();
    await until(isReady);
    expect(await hits()).toBe(URNS.length);
    expect(await nameOf('searchIndexes')).not.toBe(name);
    expect(notices.length).toBeLessThan(5);
  });

  it('rebuilds the search index when it was removed before the start', async () => {
    const name = await nameOf('searchIndexes');
    await catalog.stop();
    await damage.remove(site, name);
    await boot();
    expect(await hits()).toBe(URNS.length);
    expect(notices.length).toBeLessThan(5);
  });

  it('writes entries again that are missing at the start, and is not ready until then', async () => {
    const name = await nameOf('searchIndexes');
    await catalog.stop();
    for (const urn of URNS.slice(0, 2)) await damage.forget(site, name, urn);
    gate.close();
    await boot(false);
    await until(async () => (await health()).body.includes('lacks 2 of 12 entries'));
    expect(await isReady()).toBe(false);
    gate.release();
    await catalog.ready;
    await until(async () => (await hits()) === URNS.length);
  });

  it('notices that the search index was emptied', async () => {
    const name = await nameOf('searchIndexes');
    await damage.empty(site, name);
    await until(() => notices.some((text) => text.includes('has lost all of its 12 entries')));
    await until(async () => (await isReady()) && (await hits()) === URNS.length);
    expect(await nameOf('searchIndexes')).not.toBe(name);
  });

  it.each(['graph_edge_', 'graph_source_'])('rebuilds the graph when the table %s is gone', async (table) => {
    const name = await nameOf('graphIndexes');
    gate.close();
    await site.execute(`drop table ${name.replace('graph_edge_', table)}`);
    await until(async () => (await health()).body.includes('building the relationship graph'));
    expect(await isReady()).toBe(false);
    gate.release();
    await until(isReady);
    expect(await edges()).toBe(URNS.length);
  });

  it.each([
    ['some', 'delete from graph_edge_ where source_key in (select source_key from graph_edge_ limit 3)'],
    ['all', 'truncate graph_edge_'],
    [
      'those of some entities',
      'delete from graph_source_ where urn in (select urn from graph_source_ limit 3)',
    ],
    ['those of all entities', 'truncate graph_source_, graph_edge_'],
  ])('notices that rows of the graph are gone: %s', async (_which, statement) => {
    const name = await nameOf('graphIndexes');
    await catalog.stop();
    await site.execute(
      statement
        .replaceAll('graph_edge_', name)
        .replaceAll('graph_source_', name.replace('graph_edge_', 'graph_source_')),
    );
    await boot();
    await until(async () => (await edges()) === URNS.length);
    expect(notices.join()).toMatch(/the relationship graph (?:lacks|has lost)/);
  });

  const ask = (action: string, body: JsonObject, headers: Record<string, string> = WITH_TOKEN) =>
    catalog.http.post(`/operations?action=${action}`, JSON.stringify(body), headers);
  const taskIn = (json: unknown): JsonObject => {
    const { value } = json as JsonObject;
    return isJsonObject(value) ? value : {};
  };
  const readTask = async (name: string): Promise<JsonObject> =>
    (await catalog.http.get(`/operations/tasks/${name}`, WITH_TOKEN)).json as JsonObject;
  const reaches = (name: string, state: string): Promise<void> =>
    until(async () => (await readTask(name)).state === state);

  it.each([
    ['search', 'searchIndexes', hits],
    ['graph', 'graphIndexes', edges],
  ] as const)(
    'rebuilds the %s index although changes arrive before the new version begins',
    async (index, kind, count) => {
      const live = await nameOf(kind);
      const before = (await count()) ?? 0;
      creation.close();
      const { task } = taskIn((await ask('rebuildIndices', { index })).json);
      await until(() => creation.waiting > 0);
      const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,kept.early-${index},PROD)`;
      await catalog.http.write(urn, 'globalTags', { tags: [{ tag: TAG }] });
      await until(async () => (await count()) === before + 1);
      creation.release();
      await reaches(task as string, 'completed');
      expect(await nameOf(kind)).not.toBe(live);
      const later = `urn:li:dataset:(urn:li:dataPlatform:hive,kept.late-${index},PROD)`;
      await catalog.http.write(later, 'globalTags', { tags: [{ tag: TAG }] });
      await until(async () => (await count()) === before + 2);
    },
  );

  it('rebuilds all indices by one task, which counts first and tells the new versions', async () => {
    const before = await Promise.all([nameOf('searchIndexes'), nameOf('graphIndexes')]);
    const series = catalog.deps.timeseriesIndex?.versions;
    const kinds = ['search', 'graph', ...(series === undefined ? [] : ['timeseries'])];
    const formerSeries = (await series?.live())?.name;
    expect((await ask('rebuildIndices', {}, {})).status).toBe(401);
    gate.close();
    const started = taskIn((await ask('rebuildIndices', {})).json);
    expect(started).toMatchObject({
      kind: 'rebuild-indices',
      parameters: { indexes: kinds },
    });
    const name = started.task as string;
    expect(taskIn((await ask('rebuildIndices', {})).json).task).toBe(name);
    const counts = await catalog.deps.store.countEntities();
    const total = kinds.length * counts.reduce((sum, { count }) => sum + count, 0);
    await until(
      async () => isJsonObject((await readTask(name)).progress) && (await readTask(name)).state === 'running',
    );
    await until(async () => ((await readTask(name)).progress as JsonObject).total === total);
    gate.release();
    await reaches(name, 'completed');
    const after = await Promise.all([nameOf('searchIndexes'), nameOf('graphIndexes')]);
    expect(await readTask(name)).toMatchObject({
      progress: { done: total, total },
      outcome: { search: { live: after[0] }, graph: { live: after[1] } },
    });
    expect(after.filter((version) => before.includes(version))).toEqual([]);
    if (series === undefined) {
      const rejected = await ask('rebuildIndices', { index: 'timeseries' });
      expect([rejected.status, (rejected.json as JsonObject).message]).toEqual([
        400,
        "Parameter 'index': this catalog has no timeseries index, because statistics come from PostgreSQL",
      ]);
    } else expect((await series.live())?.name).not.toBe(formerSeries);
  });

  it.each([
    ['search', 'searchIndexes', hits],
    ['graph', 'graphIndexes', edges],
  ] as const)(
    'holds and gives up the rebuild of the %s index when its task says so',
    async (index, kind, count) => {
      const live = await nameOf(kind);
      const expected = await count();
      const interruptions = recordInterruptions(consumers);
      gate.close();
      const task = taskIn((await ask('rebuildIndices', { index })).json).task as string;
      const marks = async () => (await catalog.deps[kind].state()).live;
      await until(async () => (await catalog.deps[kind].state()).building !== undefined);
      await ask('pauseTask', { task });
      await reaches(task, 'paused');
      expect(await marks()).toEqual({ name: live, isOutdated: true, isHeld: true });
      gate.release();
      await ask('resumeTask', { task });
      await until(async () => (await readTask(task)).state === 'completed');
      const second = await nameOf(kind);
      expect(second).not.toBe(live);
      gate.close();
      const cancelled = taskIn((await ask('rebuildIndices', { index })).json).task as string;
      await until(async () => (await catalog.deps[kind].state()).building !== undefined);
      await ask('pauseTask', { task: cancelled });
      await reaches(cancelled, 'paused');
      await ask('cancelTask', { task: cancelled });
      await reaches(cancelled, 'cancelled');
      expect(await catalog.deps[kind].state()).toEqual({
        live: { name: second, isOutdated: false, isHeld: false },
      });
      gate.release();
      const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,kept.cancelled-${index},PROD)`;
      await catalog.http.write(urn, 'globalTags', { tags: [{ tag: TAG }] });
      await until(async () => (await count()) === (expected ?? 0) + 1);
      expect(await nameOf(kind)).toBe(second);
      expect(interruptions.stop()).toEqual([]);
    },
  );

  it.each([
    ['search', 'searchIndexes', hits],
    ['graph', 'graphIndexes', edges],
  ] as const)(
    'builds the %s index alongside the live one when the operator asks',
    async (index, kind, count) => {
      const name = await nameOf(kind);
      expect((await ask('rebuildIndex', { index }, {})).status).toBe(401);
      expect((await ask('describeIndex', { index }, {})).status).toBe(401);
      const rejected = await ask('rebuildIndex', { index: 'searches' });
      expect([rejected.status, (rejected.json as JsonObject).message]).toEqual([
        400,
        'Parameter \'index\' is "searches", but must be one of search, graph, timeseries',
      ]);
      gate.close();
      const interruptions = recordInterruptions(consumers);
      expect((await ask('rebuildIndex', { index })).json).toMatchObject({
        value: { index, state: 'rebuilding', live: name, task: expect.any(String) },
      });
      const state = async (): Promise<JsonObject> => {
        const { value } = (await ask('describeIndex', { index })).json as JsonObject;
        // The live version answers everything, and the catalog is ready, the whole time.
        expect(await isReady()).toBe(true);
        return isJsonObject(value) ? value : {};
      };
      await until(async () => (await state()).building !== undefined);
      const before = (await count()) ?? 0;
      const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,kept.during-${index},PROD)`;
      await catalog.http.write(urn, 'globalTags', { tags: [{ tag: TAG }] });
      await until(async () => (await count()) === before + 1);
      expect(await state()).toMatchObject({ state: 'rebuilding', live: name });
      gate.release();
      await until(async () => {
        expect(await count()).toBe(before + 1);
        const { state: now, live } = await state();
        return now === 'live' && live !== name;
      });
      const later = `urn:li:dataset:(urn:li:dataPlatform:hive,kept.after-${index},PROD)`;
      await catalog.http.write(later, 'globalTags', { tags: [{ tag: TAG }] });
      await until(async () => (await count()) === before + 2);
      // A second time without writes, so that the new version is complete as soon as it is filled.
      await catalog.http.caughtUp();
      const second = await nameOf(kind);
      await ask('rebuildIndex', { index });
      await until(async () => (await nameOf(kind)) !== second);
      await until(async () => (await state()).state === 'live');
      expect(interruptions.stop()).toEqual([]);
    },
  );
}

/** Records each status but `running` of the consumers, in every turn of the event loop until it is stopped. */
function recordInterruptions(consumers: readonly NamedSubscription[]): {
  readonly stop: () => readonly string[];
} {
  const found = new Set<string>();
  let isStopped = false;
  const look = (): void => {
    if (isStopped) return;
    for (const { name, subscription } of consumers) {
      const status = subscription.status();
      if (status.state !== 'running') found.add(`${name}: ${stringifyJson({ ...status })}`);
    }
    setImmediate(look);
  };
  look();
  return {
    stop: () => {
      isStopped = true;
      return [...found];
    },
  };
}
