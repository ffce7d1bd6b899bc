import { expect, it, jest } from '@jest/globals';
import { parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.events,PROD)';
const ADA = 'urn:li:corpuser:ada';
const tagOf = (name: string): string => `urn:li:tag:${name}`;
const tags = (...names: readonly string[]) => ({ tags: names.map((name) => ({ tag: tagOf(name) })) });
const OPERATOR = { Authorization: 'Bearer the-token-of-the-operator' };

/** The stream of events, on a catalog with these settings. */
export function eventsSuite(environment: Readonly<Record<string, string>>): void {
  const catalog = catalogForSuite({
    environment: { ...environment, STRATALOG_TOKEN: 'the-token-of-the-operator' },
  });
  const poll = (
    topic: string,
    query: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => catalog.http.get(`/openapi/v1/events/poll?topic=${topic}${query}`, headers);
  const end = async (topic = 'PlatformEvent_v1'): Promise<string> =>
    at((await poll(topic, '&pollTimeoutSeconds=0')).json, 'offsetId') as string;
  /** Polls to the end as a client does; each answer's events in their order. */
  const readAll = async (topic: string, offset: string, limit = 100) => {
    const values: JsonObject[] = [];
    for (let offsetId = offset; ;) {
      const { status, json, body } = await poll(
        topic,
        `&offsetId=${encodeURIComponent(offsetId)}&limit=${String(limit)}&pollTimeoutSeconds=0`,
      );
      if (status !== 200) throw new Error(body);
      const events = at(json, 'events') as readonly JsonObject[];
      expect(at(json, 'count')).toBe(events.length);
      values.push(...events.map(({ value }) => parseJson(value as string) as JsonObject));
      const next = at(json, 'offsetId') as string;
      if (next === offsetId) return values;
      offsetId = next;
    }
  };
  const toEntityEvent = (event: JsonObject): JsonObject =>
    parseJson(at(event, 'payload', 'value') as string) as JsonObject;

  it('tells what happens to entities, in order, and again from the same offset', async () => {
    const offset = await end();
    await catalog.http.write(ORDERS, 'globalTags', tags('a', 'b'));
    await catalog.http.write(ORDERS, 'globalTags', tags('b', 'c'));
    await catalog.http.write(ORDERS, 'ownership', {
      owners: [{ owner: ADA, type: 'DATAOWNER' }],
      lastModified: { time: 0, actor: ADA },
    });
    await catalog.http.write(ORDERS, 'deprecation', { deprecated: true, note: '', actor: ADA });
    await catalog.http.write(ORDERS, 'status', { removed: true });
    await catalog.http.write(ORDERS, 'status', { removed: false });
    const events = await readAll('PlatformEvent_v1', offset);
    expect(events[0]).toEqual({
      header: { timestampMillis: expect.any(Number) },
      name: 'entityChangeEvent',
      payload: { contentType: 'application/json', value: expect.any(String) },
    });
    const told = events.map(toEntityEvent);
    const isOfTags = ({ category }: JsonObject): boolean => category === 'TAG';
    expect(
      told
        .filter(isOfTags)
        .slice(0, 4)
        .map(({ operation, modifier }) => [operation, modifier]),
    ).toEqual([
      ['ADD', tagOf('a')],
      ['ADD', tagOf('b')],
      ['REMOVE', tagOf('a')],
      ['ADD', tagOf('c')],
    ]);
    expect(told.find(isOfTags)).toEqual({
      entityUrn: ORDERS,
      entityType: 'dataset',
      category: 'TAG',
      operation: 'ADD',
      modifier: tagOf('a'),
      parameters: { tagUrn: tagOf('a') },
      auditStamp: { time: expect.any(Number), actor: expect.any(String) },
      version: 0,
    });
    expect(
      told
        .filter((event) => !isOfTags(event))
        .map(({ category, operation }) => `${category as string} ${operation as string}`),
    ).toEqual(
      expect.arrayContaining([
        'LIFECYCLE CREATE',
        'OWNER ADD',
        'DEPRECATION MODIFY',
        'LIFECYCLE SOFT_DELETE',
        'LIFECYCLE REINSTATE',
      ]),
    );
    expect(await readAll('PlatformEvent_v1', offset)).toEqual(events);
    const last = await end();
    expect(await readAll('PlatformEvent_v1', last)).toEqual([]);
    await catalog.http.post('/entities?action=delete', stringifyJson({ urn: ORDERS }), OPERATOR);
    const deletions = (await readAll('PlatformEvent_v1', last)).map(toEntityEvent);
    expect(deletions.map(({ category, operation }) => [category, operation])).toContainEqual([
      'LIFECYCLE',
      'HARD_DELETE',
    ]);
    // The values of a deleted entity are gone, and with them what their changes meant; that it lived is known.
    const lives = (await readAll('PlatformEvent_v1', offset)).map(toEntityEvent);
    expect(lives.map(({ category, operation }) => `${category as string} ${operation as string}`)).toEqual([
      'LIFECYCLE CREATE',
      'LIFECYCLE HARD_DELETE',
    ]);
  });

  it('has the changes themselves, with the values before them, each once and in order', async () => {
    const offset = await end();
    const names = Array.from({ length: 40 }, (_, number) => String(number));
    for (const name of names) {
      await catalog.http.write(tagOf('counted'), 'tagProperties', { name });
      await catalog.http.write(tagOf(`other${name}`), 'status', { removed: false });
    }
    const changes = await readAll('MetadataChangeLog_Versioned_v1', offset, 3);
    const counted = changes.filter(
      ({ entityUrn, aspectName }) => entityUrn === tagOf('counted') && aspectName === 'tagProperties',
    );
    const nameIn = (value: JsonValue | undefined) =>
      at(parseJson((at(value, 'value') ?? '{}') as string), 'name');
    expect(counted.map(({ aspect }) => nameIn(aspect))).toEqual(names);
    expect(counted.map(({ previousAspectValue }) => nameIn(previousAspectValue))).toEqual([
      undefined,
      ...names.slice(0, -1),
    ]);
    expect(counted[1]).toEqual({
      entityType: 'tag',
      entityUrn: tagOf('counted'),
      changeType: 'UPSERT',
      aspectName: 'tagProperties',
      aspect: { value: expect.any(String), contentType: 'application/json' },
      previousAspectValue: { value: expect.any(String), contentType: 'application/json' },
      systemMetadata: expect.objectContaining({ runId: expect.any(String) }),
      created: { time: expect.any(Number), actor: expect.any(String) },
    });
    for (const name of names)
      expect(changes.filter(({ entityUrn }) => entityUrn === tagOf(`other${name}`)).length).toBeGreaterThan(
        0,
      );
  });

  it('has values of timeseries aspects, and the runs of processes', async () => {
    const [changes, events] = [await end('MetadataChangeLog_Timeseries_v1'), await end()];
    const run = 'urn:li:dataProcessInstance:events';
    await catalog.http.write(ORDERS, 'datasetProfile', { timestampMillis: 1_700_000_000_000, rowCount: 1 });
    for (const status of ['STARTED', 'COMPLETE'])
      await catalog.http.write(run, 'dataProcessInstanceRunEvent', {
        timestampMillis: status === 'STARTED' ? 1 : 2,
        status,
        ...(status === 'STARTED' ? {} : { result: { type: 'FAILURE', nativeResultType: 'x' } }),
      });
    const told = await readAll('MetadataChangeLog_Timeseries_v1', changes);
    expect(told.map(({ aspectName, changeType }) => [aspectName, changeType])).toEqual(
      expect.arrayContaining([
        ['datasetProfile', 'UPSERT'],
        ['dataProcessInstanceRunEvent', 'UPSERT'],
      ]),
    );
    const runs = (await readAll('PlatformEvent_v1', events))
      .map(toEntityEvent)
      .filter(({ category }) => category === 'RUN');
    expect(runs.map(({ operation, parameters }) => [operation, parameters])).toEqual([
      ['STARTED', undefined],
      ['COMPLETED', { runResult: 'FAILURE' }],
    ]);
  });

  it('answers as soon as something happens, and after the wait when nothing does', async () => {
    const offset = encodeURIComponent(await end());
    const start = performance.now();
    const waiting = poll('PlatformEvent_v1', `&offsetId=${offset}&pollTimeoutSeconds=30`);
    await catalog.http.write(tagOf('late'), 'status', { removed: true });
    expect(at((await waiting).json, 'count')).toBeGreaterThan(0);
    expect(performance.now() - start).toBeLessThan(limitMs(15_000));
    const idle = await poll(
      'PlatformEvent_v1',
      `&offsetId=${encodeURIComponent(await end())}&pollTimeoutSeconds=1`,
    );
    expect([idle.status, at(idle.json, 'count')]).toEqual([200, 0]);
  });

  it('lets all who wait share one look at the store, and answers each', async () => {
    const offset = encodeURIComponent(await end());
    const spied = jest.spyOn(catalog.deps.store, 'readPartitionSequences');
    try {
      const waiting = Array.from({ length: 20 }, () =>
        poll('PlatformEvent_v1', `&offsetId=${offset}&pollTimeoutSeconds=2`),
      );
      for (const answer of await Promise.all(waiting)) expect(at(answer.json, 'count')).toBe(0);
      // One look each at the start, and then ten each second.
      expect(spied.mock.calls.length).toBeLessThan(20 + 40);
    } finally {
      spied.mockRestore();
    }
  });

  it('ends an answer before it is too large, and goes on behind what it told', async () => {
    const offset = await end();
    const names = Array.from({ length: 8 }, (_, number) => String(number));
    for (const name of names)
      await catalog.http.write(tagOf('large'), 'tagProperties', { name, description: 'x'.repeat(2_000_000) });
    const first = await poll(
      'MetadataChangeLog_Versioned_v1',
      `&offsetId=${encodeURIComponent(offset)}&pollTimeoutSeconds=0`,
    );
    expect(first.body.length).toBeLessThan(20_000_000);
    const changes = await readAll('MetadataChangeLog_Versioned_v1', offset);
    const named = changes.flatMap(({ aspectName, aspect }) =>
      aspectName === 'tagProperties' ? [at(parseJson(at(aspect, 'value') as string), 'name')] : [],
    );
    expect(named).toEqual(names);
  });

  it('begins in the past on demand', async () => {
    const past = await poll('PlatformEvent_v1', '&lookbackWindowDays=1&pollTimeoutSeconds=0');
    expect(at(past.json, 'count')).toBeGreaterThan(0);
  });

  it.each([
    ['topic=Nothing_v1', "'topic'"],
    ['topic=PlatformEvent_v1&offsetId=x', 'no offset of this store'],
    ['topic=PlatformEvent_v1&offsetId=00000000.1.', 'no offset of this store'],
    ['topic=PlatformEvent_v1&limit=0', 'limit'],
    ['topic=PlatformEvent_v1&pollTimeoutSeconds=31', 'pollTimeoutSeconds'],
  ])('rejects %s', async (query, message) => {
    const answer = await catalog.http.get(`/openapi/v1/events/poll?${query}`);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining(message)]);
  });

  it('rejects an offset ahead of the store', async () => {
    const ahead = (await end()).replace(/:(\d+)/, ':9$1');
    const answer = await poll('PlatformEvent_v1', `&offsetId=${encodeURIComponent(ahead)}`);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining('ahead')]);
  });
}
