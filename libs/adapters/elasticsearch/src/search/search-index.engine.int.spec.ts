import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CancelledError,
  FaultError,
  InvalidRequestError,
  InvalidSettingError,
  TimeLimitError,
  UnavailableError,
  type SearchDocument,
  type SearchRequest,
} from '@stratalog/domain';
import { actFor } from '@stratalog/concurrency';
import type { SearchIndex, SearchIndexVersions } from '@stratalog/ports';
import { MAX_ASKED_KEY_LENGTH, parseQuery } from '@stratalog/search-text';
import { SEARCH_FIELDS, datasetUrn, indexVersionsOver, projectDocument, until } from '@stratalog/testkit';
import { claimIndices } from '../index-versions/claim-indices';
import { ensureIndex } from '../engine/ensure-index';
import { buildMappings } from '../engine/build-mappings';
import { MetaDocument } from '../engine/meta-document';
import { openSearchEngine } from '../engine/open-search-engine';
import type { SearchEngine } from '../engine/search-engine';
import { ElasticsearchSearchIndexVersionStore } from './search-index-version-store';
import {
  ENGINES,
  openFailingProxy,
  removeIndices,
  scratchPrefix,
  type FailingProxy,
} from '../engine/test-engines';

const IDENTITY = { storeId: 'b'.repeat(32), epoch: 1, mapping: 'm' };
const named = (name: string, seq = 1): SearchDocument =>
  projectDocument(datasetUrn(name), seq, { name: [name] });

/** A term of more than 32,766 bytes, which every engine rejects. */
function poison(name: string): SearchDocument {
  return { ...named(name), urn: `urn:li:dataset:${'x'.repeat(40_000)}` };
}

const MODE = 'index.search.concurrent_segment_search.mode';
const MAX_SLICES = 'index.search.concurrent.max_slice_count';

describe.each(ENGINES)('the search index on $name', ({ url }) => {
  const indexPrefix = scratchPrefix();
  const clock = { time: 1_000_000, now: () => clock.time };
  let proxy: FailingProxy;
  let engine: SearchEngine;
  let index: SearchIndex;
  const indexes = (): SearchIndexVersions =>
    indexVersionsOver(new ElasticsearchSearchIndexVersionStore(engine), clock);

  beforeAll(async () => {
    proxy = await openFailingProxy(url);
    engine = await openSearchEngine({ url: proxy.url, indexPrefix });
  });
  beforeEach(async () => {
    await removeIndices(engine);
    await (await openSearchEngine({ url, indexPrefix })).close();
    index = await indexes().create(IDENTITY);
  });
  afterAll(async () => {
    await removeIndices(engine);
    await engine.close();
    await proxy.close();
  });

  const search = (text: string, options: Partial<SearchRequest> = {}): ReturnType<SearchIndex['search']> =>
    index.search({
      entityTypes: ['dataset'],
      query: parseQuery(text, SEARCH_FIELDS),
      start: 0,
      count: 10,
      facets: [],
      facetLimit: 5,
      ...options,
    });
  const found = async (text: string, options: Partial<SearchRequest> = {}): Promise<readonly string[]> =>
    (await search(text, options)).hits.map(({ urn }) => urn);

  it('waits while the engine is recovering its indices', async () => {
    proxy.answerNext(/_doc\/index-versions/, [503, 503]);
    const reasons: string[] = [];
    const onWaiting = (reason: string): number => reasons.push(reason);
    await (await openSearchEngine({ url: proxy.url, indexPrefix, onWaiting })).close();
    expect(reasons).toEqual([expect.stringContaining('waiting for the search engine')]);
  });

  it.each([/_search/, /_doc\/index-versions/])(
    'ends a search when its caller disconnects, and after its time limit: %s',
    async (path) => {
      await index.write([named('orders')], new Map([[0, 1]]));
      // As in another process, which has not read the checkpoint yet.
      index = await indexes().create(IDENTITY);
      const held = proxy.hold(path);
      const client = new AbortController();
      const slow = actFor({ disconnected: client.signal, timeLimitMs: 300, writes: false }, () =>
        search('orders'),
      );
      await expect(slow).rejects.toThrow(TimeLimitError);
      const leaving = actFor({ disconnected: client.signal, timeLimitMs: 60_000, writes: false }, () =>
        search('orders'),
      );
      const outcome = leaving.catch((error: unknown) => error);
      client.abort(new CancelledError('gone'));
      expect(await outcome).toBeInstanceOf(CancelledError);
      await until(() => held.givenUp() > 0);
      held.release();
      expect(await found('orders')).toEqual([datasetUrn('orders')]);
    },
  );

  it('limits concurrent searches, and skips those whose caller has disconnected', async () => {
    await index.write([named('orders')], new Map([[0, 1]]));
    const held = proxy.hold(/_search/);
    const client = new AbortController();
    const caller = { disconnected: client.signal, timeLimitMs: 60_000, writes: false };
    const searches = Array.from({ length: 100 }, () =>
      actFor(caller, () => search('orders')).catch((error: unknown) => error),
    );
    await until(() => held.waiting() === 32);
    client.abort(new CancelledError('gone'));
    for (const outcome of await Promise.all(searches)) expect(outcome).toBeInstanceOf(CancelledError);
    await until(() => held.givenUp() === 32);
    held.release();
    expect(await found('orders')).toEqual([datasetUrn('orders')]);
  });

  it('stores urns that are too long for a document id, each once', async () => {
    const urns = [`urn:li:dataset:${'ü'.repeat(900)}a`, `urn:li:dataset:${'ü'.repeat(900)}b`];
    const documents = urns.map((urn, at) => projectDocument(urn, at + 1, { name: ['long'] }));
    await index.write(documents, new Map());
    await index.write(documents, new Map());
    expect(await found('long')).toEqual(urns);
  });

  it('drops an older state also within one write', async () => {
    await index.write([named('a', 7), { ...named('other', 3), urn: datasetUrn('a') }], new Map());
    expect(await found('*')).toEqual([datasetUrn('a')]);
    expect(await found('other')).toEqual([]);
  });

  it('reports the rejected document, and writes the others', async () => {
    const write = index.write([named('before'), poison('bad'), named('behind')], new Map([[0, 3]]));
    await expect(write).rejects.toThrow(FaultError);
    await expect(write).rejects.toThrow(/rejected 1 documents: urn:li:dataset:xxx/);
    expect([...(await found('*'))].sort()).toEqual([datasetUrn('before'), datasetUrn('behind')]);
    expect(await index.position()).toEqual(new Map());
  });

  it('retries documents that the engine has no room for', async () => {
    proxy.answerNext(/_bulk/, [429, 503, 429]);
    await index.write([named('patient')], new Map([[0, 1]]));
    expect(await found('patient')).toEqual([datasetUrn('patient')]);
  });

  it('fails when the engine stays unavailable, and does not move its checkpoint', async () => {
    proxy.answerNext(/_bulk/, Array<number>(20).fill(503));
    await expect(index.write([named('late')], new Map([[0, 1]]))).rejects.toThrow(UnavailableError);
    proxy.answerNext(/_bulk/, []);
    expect(await index.position()).toEqual(new Map());
    proxy.answerNext(/_search/, [503]);
    await expect(found('late')).rejects.toThrow(UnavailableError);
    proxy.answerNext(/_refresh/, [503]);
    await expect(index.write([named('late')], new Map([[0, 1]]))).rejects.toThrow(UnavailableError);
    expect(await index.position()).toEqual(new Map());
  });

  it('continues with the same connection once the engine is back', async () => {
    await index.write([named('first')], new Map([[0, 1]]));
    await proxy.goAway();
    await expect(index.write([named('second')], new Map([[0, 2]]))).rejects.toThrow(UnavailableError);
    await expect(found('*')).rejects.toThrow(UnavailableError);
    await proxy.comeBack();
    expect(await index.position()).toEqual(new Map([[0, 1]]));
    await index.write([named('second')], new Map([[0, 2]]));
    expect(await found('*')).toHaveLength(2);
  });

  it('counts facet values of any text, over several entity types', async () => {
    const values = ['a=b', '.*', 'x\ny', 'z'.repeat(20_000), '\u0000'];
    await index.write(
      values.map((value, at) =>
        projectDocument(
          `urn:li:t${at % 2}:${at}`,
          1,
          { name: ['n'], tags: ['z', value] },
          { entityType: `t${at % 2}` },
        ),
      ),
      new Map(),
    );
    const { facets, total } = await search('*', {
      entityTypes: ['t0', 't1', 't2'],
      facets: [{ fields: ['tags'] }, { fields: ['.*'] }],
      facetLimit: 9,
    });
    expect(total).toBe(5);
    expect(facets).toEqual([
      {
        counts: [
          { values: ['z'], count: 5 },
          ...['.*', 'a=b', 'x\ny', 'z'.repeat(10_000), '\ufffd'].map((value) => ({
            values: [value],
            count: 1,
          })),
        ],
      },
      { counts: [] },
    ]);
  });

  it('rejects pages beyond the limit of an engine', async () => {
    await expect(search('*', { start: 9_991, count: 10 })).rejects.toThrow(InvalidRequestError);
    await expect(search('*', { start: 9_990, count: 10 })).resolves.toMatchObject({ total: 0, hits: [] });
    await expect(search('*', { entityTypes: [] })).resolves.toMatchObject({ total: 0 });
  });

  it('finds the longest text that a filter may name, one letter repeated', async () => {
    for (const letter of ['a', '顧', '(']) {
      const key = letter.repeat(MAX_ASKED_KEY_LENGTH);
      const tags = [`${letter}${key}`, key.slice(1)];
      await index.write(
        tags.map((tag, at) => projectDocument(datasetUrn(`long${at}`), 1, { tags: [tag] })),
        new Map(),
      );
      const about = { fields: ['tags'], negated: false };
      for (const condition of ['contain', 'startWith', 'endWith'] as const) {
        const filter = [[{ ...about, condition, anyOf: [key] }]];
        expect(await found('*', { filter })).toEqual([datasetUrn('long0')]);
      }
      const above = [[{ ...about, condition: 'range' as const, from: { key, isIncluded: true } }]];
      expect(await found('*', { filter: above })).toEqual([datasetUrn('long0')]);
    }
  });

  it('divides a shard of OpenSearch into slices, and rejects the setting on another engine', async () => {
    const open = (slices: number): SearchIndexVersions =>
      indexVersionsOver(new ElasticsearchSearchIndexVersionStore(engine, { slices }), clock);
    if (engine.product !== 'opensearch') {
      expect(() => open(2)).toThrow(
        /^STRATALOG_SEARCH_SLICES needs OpenSearch 2\.17 or newer, .*elasticsearch/,
      );
      return;
    }
    const create = async (slices: number): Promise<readonly (string | undefined)[]> => {
      const sliced = await open(slices).create({ ...IDENTITY, mapping: String(slices) });
      const name = engine.names.documents(toIndexVersion(sliced));
      const answer = await engine.client.indices.getSettings({ index: name, flat_settings: true });
      const { [MODE]: mode, [MAX_SLICES]: most } = { ...answer[name]?.settings } as Record<string, string>;
      return [mode, most];
    };
    expect(await create(2)).toEqual(['auto', '2']);
    expect(await create(1)).toEqual(['none', undefined]);
  });

  it('rejects slices of an OpenSearch that does not know them', () => {
    const old = { ...engine, product: 'opensearch', version: '2.16.0' } as const;
    expect(() => new ElasticsearchSearchIndexVersionStore(old, { slices: 2 })).toThrow(InvalidSettingError);
    expect(
      () => new ElasticsearchSearchIndexVersionStore({ ...old, version: '3.0.0' }, { slices: 2 }),
    ).not.toThrow();
  });

  it('counts an index of an older layout as none, and deletes it after the rebuild', async () => {
    const name = `${indexPrefix}search_0a1b2c3d_dataset`;
    const mark = { product: 'stratalog', indexVersion: '0a1b2c3d' } as const;
    const uuid = await ensureIndex(engine.client, buildMappings(name, mark));
    const registry = new MetaDocument<{ indexVersions: readonly object[] }>(engine, 'index-versions');
    await registry.change(() => ({
      indexVersions: [
        { id: '0a1b2c3d', identity: IDENTITY, layout: 2, state: 'live', indices: { dataset: uuid } },
      ],
    }));
    const all = indexes();
    expect(await all.live()).toBeUndefined();
    const next = await all.create(IDENTITY);
    await all.activate(next);
    expect((await indexes().live())?.name).toBe(next.name);
    clock.time += 120_001;
    await all.deleteRetired();
    const left = await engine.client.indices.get({ index: name, ignore_unavailable: true });
    expect(left).toEqual({});
  });

  it('keeps the checkpoint moves of two processes', async () => {
    const other = await indexes().create(IDENTITY);
    expect(other.name).toBe(index.name);
    const steps = Array.from({ length: 10 }, (_, at) => at + 1);
    await Promise.all(
      steps.flatMap((seq) => [index.write([], new Map([[0, seq]])), other.write([], new Map([[1, seq]]))]),
    );
    expect(await index.position()).toEqual(
      new Map([
        [0, 10],
        [1, 10],
      ]),
    );
  });

  it('ignores an index that replaced another', async () => {
    const all = indexes();
    await index.write([named('a')], new Map([[0, 1]]));
    await all.activate(index);
    const indexVersion = toIndexVersion(index);
    const name = engine.names.documents(indexVersion);
    await engine.client.indices.delete({ index: name });
    await ensureIndex(engine.client, buildMappings(name, { product: 'stratalog', indexVersion }));
    expect(await indexes().live()).toBeUndefined();
    expect((await indexes().create(IDENTITY)).name).not.toBe(index.name);
  });

  it('starts again when its list of index versions was removed', async () => {
    await index.write([named('a')], new Map([[0, 1]]));
    await indexes().activate(index);
    await engine.client.indices.delete({ index: engine.names.meta });
    expect(await indexes().live()).toBeUndefined();
    const next = await indexes().create(IDENTITY);
    await next.write([named('b')], new Map([[0, 1]]));
    await indexes().activate(next);
    expect((await indexes().live())?.name).toBe(next.name);
    expect(await next.position()).toEqual(new Map([[0, 1]]));
  });

  it('hides messages of the engine from callers', async () => {
    await engine.client.indices.delete({ index: engine.names.documents(toIndexVersion(index)) });
    const failing = [
      () => found('*'),
      () => index.write([named('b')], new Map([[0, 2]])),
      () => index.count(),
    ];
    for (const fail of failing) {
      await expect(fail()).rejects.toThrow(/^The search engine cannot [a-z ]+ \(status 404\)$/);
    }
  });

  it('deletes only versions that were retired long enough ago', async () => {
    const all = indexes();
    await index.write([named('old')], new Map([[0, 1]]));
    await all.activate(index);
    const next = await all.create({ ...IDENTITY, mapping: 'next' });
    await next.write([named('new')], new Map([[0, 1]]));
    await all.activate(next);
    await all.deleteRetired();
    expect(await found('old')).toEqual([datasetUrn('old')]);
    clock.time += 120_001;
    await all.deleteRetired();
    await expect(found('old')).rejects.toThrow(UnavailableError);
    expect((await indexes().live())?.name).toBe(next.name);
    const left = await engine.client.indices.get({ index: `${indexPrefix}search_*` });
    expect(Object.keys(left)).toEqual([engine.names.documents(toIndexVersion(next))]);
  });

  it('does not start on an index that the catalog did not create', async () => {
    await removeIndices(engine);
    await engine.client.indices.create({ index: engine.names.meta });
    const opening = openSearchEngine({ url, indexPrefix });
    await expect(opening).rejects.toThrow(InvalidSettingError);
    await expect(opening).rejects.toThrow(
      /has an index .*meta that this catalog did not make: choose another index prefix/,
    );
  });

  it('belongs to one store: the first that claims the prefix or built an index there', async () => {
    const { storeId } = IDENTITY;
    await expect(claimIndices(engine, 'another')).rejects.toThrow(
      /belong to another catalog \(store .*, this one is another\).*STRATALOG_INDEX_PREFIX.*delete the indices/,
    );
    await claimIndices(engine, storeId);
    await claimIndices(engine, storeId);
    await removeIndices(engine);
    await (await openSearchEngine({ url, indexPrefix })).close();
    const racing = await Promise.allSettled(['a', 'b', 'a', 'b'].map((each) => claimIndices(engine, each)));
    const outcomes = racing.map(({ status }) => status);
    expect(outcomes.slice(0, 2)).toEqual(outcomes.slice(2));
    expect(new Set(outcomes).size).toBe(2);
  });
});

function toIndexVersion(index: SearchIndex): string {
  return index.name.split('_').at(-2) ?? '';
}
