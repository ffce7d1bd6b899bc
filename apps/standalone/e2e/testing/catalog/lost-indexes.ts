import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject } from '@stratalog/model';
import type { CatalogDeps, CatalogStage } from '@stratalog/runtime';
import { until } from '@stratalog/testkit';
import { STAGES } from '../../../src/stages';
import { Site, type BootedCatalog } from './booted-catalog';

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

/** A gate in front of the store's entities, which holds up a build. */
class Gate {
  private open: Promise<void> = Promise.resolve();
  release: () => void = () => undefined;

  close(): void {
    this.open = new Promise((resolve) => {
      this.release = resolve;
    });
  }

  gated(store: CatalogDeps['store']): CatalogDeps['store'] {
    return new Proxy(store, {
      get: (target, member) => {
        const found = Reflect.get(target, member, target) as unknown;
        if (typeof found !== 'function') return found;
        const call = found.bind(target) as (...given: unknown[]) => unknown;
        return member !== 'urnsAfter' ? call : (...given: unknown[]) => this.open.then(() => call(...given));
      },
    });
  }
}

/** The behaviour of a catalog whose indices are damaged, removed, or rebuilt on request. */
export function lostIndexesSuite(environment: Readonly<Record<string, string>>, damage: SearchDamage): void {
  const gate = new Gate();
  const notices: string[] = [];
  const stages = STAGES.map((stage): CatalogStage => ({
    name: stage.name,
    open: (parts) =>
      stage.open({
        ...parts,
        store: gate.gated(parts.store),
        onNotice: (message) => notices.push(message),
        onUnindexable: (urn, cause) => {
          throw new Error(urn, { cause });
        },
      }),
  }));
  let site: Site;
  let catalog: BootedCatalog;

  const boot = async (untilReady = true): Promise<void> => {
    notices.length = 0;
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
    const { status, body } = await catalog.http.get('/health');
    return { status, body };
  };
  const isReady = async (): Promise<boolean> => (await health()).status === 200;
  const nameOf = async (kind: 'searchIndexes' | 'graphIndexes'): Promise<string> => {
    let name: string | undefined;
    await until(async () => (name = (await catalog.parts[kind].live())?.name) !== undefined);
    return name ?? '';
  };

  it('builds the search index anew when it is removed, and is not ready until then', async () => {
    const name = await nameOf('searchIndexes');
    gate.close();
    await damage.remove(site, name);
    await until(async () => (await health()).body.includes('building the search index'));
    expect(await isReady()).toBe(false);
    expect(await hits()).toBeUndefined();
    gate.release();
    await until(isReady);
    expect(await hits()).toBe(URNS.length);
    expect(await nameOf('searchIndexes')).not.toBe(name);
    expect(notices.length).toBeLessThan(5);
  });

  it('builds the search index anew when it was removed before the start', async () => {
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

  it.each(['graph_edge_', 'graph_source_'])(
    'builds the graph anew when the table %s is gone',
    async (table) => {
      const name = await nameOf('graphIndexes');
      gate.close();
      await site.execute(`drop table ${name.replace('graph_edge_', table)}`);
      await until(async () => (await health()).body.includes('building the relationship graph'));
      expect(await isReady()).toBe(false);
      gate.release();
      await until(isReady);
      expect(await edges()).toBe(URNS.length);
    },
  );

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

  it.each([
    ['search', 'searchIndexes', hits],
    ['graph', 'graphIndexes', edges],
  ] as const)(
    'builds the %s index beside the live one when the operator asks',
    async (index, kind, count) => {
      const name = await nameOf(kind);
      const ask = (action: string, body: JsonObject, headers: Record<string, string> = WITH_TOKEN) =>
        catalog.http.post(`/operations?action=${action}`, JSON.stringify(body), headers);
      expect((await ask('rebuildIndex', { index }, {})).status).toBe(401);
      expect((await ask('describeIndex', { index }, {})).status).toBe(401);
      const rejected = await ask('rebuildIndex', { index: 'searches' });
      expect([rejected.status, (rejected.json as JsonObject).message]).toEqual([
        400,
        'Parameter \'index\' is "searches", but must be one of search, graph',
      ]);
      gate.close();
      expect((await ask('rebuildIndex', { index })).json).toMatchObject({
        value: { index, state: 'rebuilding', live: name },
      });
      await until(async () => !(await isReady()));
      expect(await count()).toBe(URNS.length);
      gate.release();
      await until(async () => {
        expect(await count()).toBe(URNS.length);
        const { value } = (await ask('describeIndex', { index })).json as JsonObject;
        return isJsonObject(value) && value.state === 'live' && value.live !== name;
      });
      await until(isReady);
      expect(await count()).toBe(URNS.length);
    },
  );
}
