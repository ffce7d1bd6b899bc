import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  distance,
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonOutput,
  type JsonOutputObject,
  type JsonValue,
  type TaskState,
} from '@stratalog/model';
import { until } from '@stratalog/testkit';
import { actionsSuite } from '../metadata-tests/actions-suite';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { searchedValues } from './searched-values';

const TOKEN = 'a-token-of-this-suite';
const WITH_TOKEN = { authorization: `Bearer ${TOKEN}` };
const ACTOR = 'urn:li:corpuser:admin';
const DRY_RUN = 'This was a dry run. Run with dryRun = false to execute.';
const URNS = [1, 2, 3].map((n) => `urn:li:dataset:(urn:li:dataPlatform:hive,measured-${String(n)},PROD)`);
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1);

/** The calls of operators on timeseries values and tasks, on a catalog with these settings. */
export function operationsSuite(environment: Readonly<Record<string, string>>): void {
  const catalog = catalogForSuite({
    environment: {
      STRATALOG_TOKEN: TOKEN,
      STRATALOG_RETENTION_EVERY_SECONDS: '1',
      STRATALOG_TRUSTED_PROXIES: 'loopback',
      ...environment,
    },
  });
  const ask = (
    action: string,
    body: JsonOutputObject,
    headers: Record<string, string> = WITH_TOKEN,
  ): Promise<Answer> => catalog.http.post(`/operations?action=${action}`, stringifyJson(body), headers);
  const get = (path: string): Promise<Answer> => catalog.http.get(`/operations/tasks${path}`, WITH_TOKEN);
  const truncation = (more: JsonOutputObject = {}): JsonOutputObject => ({
    entityType: 'dataset',
    aspect: 'datasetProfile',
    endTimeMillis: START_MS + 2 * DAY_MS,
    ...more,
  });
  const statusOf = async (body: JsonOutputObject): Promise<JsonObject> => {
    const { status, json } = await ask('getEsTaskStatus', body);
    expect(status).toBe(200);
    const inner = parseJson(at(json, 'value') as string);
    return isJsonObject(inner) ? inner : {};
  };

  beforeAll(async () => {
    for (const urn of URNS) {
      for (let day = 0; day < 5; day++) {
        await catalog.http.write(urn, 'datasetProfile', {
          timestampMillis: START_MS + day * DAY_MS,
          rowCount: day,
        });
      }
    }
  });

  describe.each([
    ['getIndexSizes', {}],
    ['truncateTimeseriesAspect', truncation()],
    ['getEsTaskStatus', { task: 'node:1' }],
    ['restoreIndices', {}],
    ['pauseTask', { task: '1' }],
    ['resumeTask', { task: '1' }],
    ['cancelTask', { task: '1' }],
  ])('%s', (action, body) => {
    it('needs the token of the operator', async () => {
      expect((await ask(action, body, {})).status).toBe(401);
    });
  });

  describe('getIndexSizes', () => {
    it('has one entry for each timeseries aspect, by the names of the reference', async () => {
      const { status, json } = await ask('getIndexSizes', {});
      expect([status, Object.keys(at(json, 'value') ?? {})]).toEqual([200, ['indexSizes']]);
      const sizes = at(json, 'value', 'indexSizes') as unknown as readonly Record<string, unknown>[];
      const names = sizes.map(({ indexName }) => indexName);
      expect(new Set(names).size).toBe(names.length);
      expect(sizes.find(({ indexName }) => indexName === 'dataset_datasetusagestatisticsaspect_v1')).toEqual({
        indexName: 'dataset_datasetusagestatisticsaspect_v1',
        entityName: 'dataset',
        aspectName: 'datasetusagestatistics',
        sizeMb: 0,
        sizeInMb: 0,
      });
      const profiles = sizes.find(({ aspectName }) => aspectName === 'datasetprofile');
      expect(profiles?.sizeMb).toBeGreaterThan(0);
      expect(profiles?.sizeInMb).toBe(profiles?.sizeMb);
    });

    it('needs no body', async () => {
      expect((await catalog.http.post('/gms/operations?action=getIndexSizes', '', WITH_TOKEN)).status).toBe(
        200,
      );
    });
  });

  describe('truncateTimeseriesAspect', () => {
    it.each([
      [truncation(), 'Delete 9 out of 15 rows (60.00%). Reindexing the aspect without the deleted records. '],
      [
        truncation({ entityType: 'DATASET', aspect: 'datasetprofile', forceDeleteByQuery: true }),
        'Delete 9 out of 15 rows (60.00%). Issuing a delete by query request. ',
      ],
      [
        truncation({ endTimeMillis: 0 }),
        'Delete 0 out of 15 rows (0.00%). Issuing a delete by query request. ',
      ],
      [
        truncation({ endTimeMillis: 0, forceReindex: true, forceDeleteByQuery: false }),
        'Delete 0 out of 15 rows (0.00%). Reindexing the aspect without the deleted records. ',
      ],
      [
        truncation({ aspect: 'operation' }),
        'Delete 0 out of 0 rows (NaN%). Issuing a delete by query request. ',
      ],
    ])('answers a dry run of %j in the words of the reference', async (body, text) => {
      const { status, json, headers } = await ask('truncateTimeseriesAspect', body);
      expect([status, json]).toEqual([200, { value: `${text}${DRY_RUN}` }]);
      expect(headers['x-stratalog-position']).toBeDefined();
    });

    it.each([true, false])('answers both flags %s in the words of the reference', async (both) => {
      const body = truncation({ dryRun: false, forceDeleteByQuery: both, forceReindex: both });
      const { status, json } = await ask('truncateTimeseriesAspect', body);
      expect([status, json]).toEqual([
        200,
        { value: 'please only set forceReindex OR forceDeleteByQuery flags' },
      ]);
    });

    it.each([
      [truncation({ entityType: 'datasets' }), 'Failed to find entity with name datasets in EntityRegistry'],
      [truncation({ aspect: 'datasetProfiles' }), 'Unknown aspect datasetProfiles for entity dataset'],
      [truncation({ aspect: 'status' }), 'Aspect status of entity dataset is not a timeseries aspect'],
      [truncation({ endTimeMillis: -1 }), '/endTimeMillis :: -1 is not an integer from 0 on'],
      [truncation({ batchSize: 'many' }), '/batchSize :: "many" is not an integer from 0 to 1000000'],
    ])('rejects %j', async (body, message) => {
      const { status, json } = await ask('truncateTimeseriesAspect', { dryRun: false, ...body });
      expect([status, at(json, 'message')]).toEqual([400, expect.stringContaining(message)]);
    });

    it('deletes what the dry run said, by a task that anybody may ask about', async () => {
      const body = truncation({ dryRun: false, batchSize: 2 });
      const { status, json } = await ask('truncateTimeseriesAspect', body);
      const task = at(json, 'value') as string;
      expect([status, task]).toEqual([200, expect.stringMatching(/^[0-9a-f]{22}:\d+$/)]);
      await until(async () => (await statusOf({ task })).completed === true);
      const done = await statusOf({ nodeId: task.split(':')[0] ?? '', taskId: Number(task.split(':')[1]) });
      expect(done).toEqual({
        completed: true,
        taskId: task,
        runTimeNanos: expect.any(Number),
        status: expect.any(String),
      });
      expect(done.status).toContain('"requests_per_second":-1.0');
      expect(parseJson(done.status as string)).toEqual({
        total: 9,
        updated: 0,
        created: 0,
        deleted: 9,
        batches: 5,
        version_conflicts: 0,
        noops: 0,
        retries: { bulk: 0, search: 0 },
        throttled_millis: 0,
        requests_per_second: -1,
        throttled_until_millis: 0,
      });
      const [urn = ''] = URNS;
      const left = await catalog.http.post(
        '/aspects?action=getTimeseriesAspectValues',
        stringifyJson({ urn, entity: 'dataset', aspect: 'datasetProfile' }),
      );
      expect((at(left.json, 'value', 'values') as readonly unknown[]).length).toBe(2);
      expect((await get(`/${task}`)).json).toMatchObject({
        task,
        kind: 'truncate-timeseries',
        state: 'completed',
        requestedBy: ACTOR,
        progress: { done: 9, total: 9 },
        outcome: { deleted: 9, position: expect.any(String) },
        log: [
          {
            text: 'Delete 9 out of 15 rows (60.00%). Reindexing the aspect without the deleted records.',
          },
          { text: 'deleted 9 values' },
        ],
      });
      const again = await ask('truncateTimeseriesAspect', truncation());
      expect(at(again.json, 'value')).toBe(
        `Delete 0 out of 6 rows (0.00%). Issuing a delete by query request. ${DRY_RUN}`,
      );
    });
  });

  describe('/openapi/operations/elasticSearch', () => {
    const call = (path: string, headers: Record<string, string> = WITH_TOKEN): Promise<Answer> =>
      catalog.http.get(`/openapi/operations/elasticSearch/${path}`, headers);

    it.each([
      'getTaskStatus?task=1',
      'getIndexSizes',
      'restoreIndices?urn=urn:li:tag:a',
      'explainSearchQuery?documentId=urn:li:tag:a',
    ])('%s needs the token of the operator', async (path) => {
      expect((await call(path, {})).status).toBe(401);
    });

    it('answers the status of a task as plain JSON', async () => {
      const { task } = await catalog.parts.tasks.create({ kind: 'idle-too', parameters: {}, actor: ACTOR });
      const { status, json } = await call(`getTaskStatus?task=${String(task.id)}`);
      const name = at(json, 'taskId') as string;
      expect([status, json]).toEqual([
        200,
        { completed: false, taskId: expect.any(String), runTimeNanos: 0, status: expect.any(String) },
      ]);
      expect(json).toEqual(await statusOf({ task: name }));
      expect((await call(`getTaskStatus?task=${name}`)).json).toEqual(json);
    });

    it.each([
      ['getTaskStatus?task=a%20b', 400, '(got a b)'],
      ['getTaskStatus', 400, "'task'"],
      ['getTaskStatus?task=elsewhere:1', 404, 'Could not get task status for elsewhere:1'],
      ['restoreIndices?urn=dataset', 400, 'dataset'],
      ['restoreIndices?aspectName=none', 400, "Parameter 'aspectName': the model has no aspect none"],
      ['restoreIndices?batchSize=0', 400, "'batchSize'"],
      ['explainSearchQuery', 400, "'documentId'"],
      ['explainSearchQuery?documentId=tag', 400, 'tag'],
      ['explainSearchQuery?documentId=urn:li:tag:never-written', 404, 'urn:li:tag:never-written'],
      ['explainSearchQuery?documentId=urn:li:tag:a&filters=%7B%7D', 400, "'filters'"],
    ])('rejects %s', async (path, status, text) => {
      const answer = await call(path);
      expect([answer.status, at(answer.json, 'message')]).toEqual([status, expect.stringContaining(text)]);
    });

    it('lists the sizes that getIndexSizes has', async () => {
      const { json } = await call('getIndexSizes');
      const names = (list: unknown) => (list as readonly JsonObject[]).map(({ indexName }) => indexName);
      const sizes = at((await ask('getIndexSizes', {})).json, 'value', 'indexSizes');
      expect(names(at(json, 'sizes'))).toEqual(names(sizes));
      expect(Object.keys((at(json, 'sizes') as readonly JsonObject[])[0] ?? {})).toEqual([
        'aspectName',
        'entityName',
        'indexName',
        'sizeMb',
      ]);
    });

    const send = (path: string, body: JsonOutput, headers = WITH_TOKEN): Promise<Answer> =>
      catalog.http.post(`/openapi/operations/elasticSearch/${path}`, stringifyJson(body), headers);

    it('restates the aspects of listed entities, each once', async () => {
      const [one, other] = ['listed-1', 'listed-2'].map((name) => `urn:li:tag:${name}`);
      if (one === undefined || other === undefined) return;
      for (const urn of [one, other]) {
        await catalog.http.write(urn, 'tagProperties', { name: urn });
        await catalog.http.write(urn, 'status', { removed: false });
      }
      const before = await catalog.parts.store.head();
      const { status, json } = await send('restoreIndices?aspectNames=tagProperties,status&batchSize=3', [
        one,
        other,
        one,
        'urn:li:tag:listed-and-absent',
      ]);
      expect([status, json]).toEqual([
        200,
        [
          expect.objectContaining({ ignored: 0, rowsMigrated: 3, lastUrn: other, lastAspect: 'status' }),
          expect.objectContaining({
            ignored: 0,
            rowsMigrated: 1,
            lastUrn: other,
            lastAspect: 'tagProperties',
          }),
        ],
      ]);
      expect(distance(before, await catalog.parts.store.head())).toBe(4);
      const all = await send('restoreIndices', [one]);
      expect(at(all.json, '0', 'rowsMigrated')).toBe(3);
      expect((await send('restoreIndices', [])).json).toMatchObject([{ ignored: 0, rowsMigrated: 0 }]);
    });

    it('answers the raw search documents of listed entities', async () => {
      const urn = 'urn:li:tag:raw';
      await catalog.http.write(urn, 'tagProperties', { name: 'Raw' });
      await catalog.http.caughtUp();
      const { status, json } = await send('entity/raw', [urn, 'urn:li:tag:never-written']);
      expect([status, json]).toEqual([200, { [urn]: expect.objectContaining({ urn, name: ['Raw'] }) }]);
    });

    it('explains the score of an entity as search engines do, and compares two', async () => {
      const [first, second] = ['explained', 'explained-too'].map((name) => `urn:li:tag:${name}`);
      for (const urn of [first, second]) {
        await catalog.http.write(urn ?? '', 'tagProperties', { name: urn ?? '' });
      }
      await catalog.http.caughtUp();
      const query = 'entityName=tag&query=explained';
      const id = encodeURIComponent(first ?? '');
      const { status, json } = await call(`explainSearchQuery?${query}&documentId=${encodeURIComponent(id)}`);
      expect([status, json]).toEqual([
        200,
        {
          index: 'tagindex_v2',
          id,
          matched: true,
          explanation: {
            value: expect.any(Number),
            description: expect.any(String),
            details: expect.any(Array),
          },
        },
      ]);
      const diff = await call(
        `explainSearchQueryDiff?${query}&documentIdA=${id}&documentIdB=${encodeURIComponent(second ?? '')}`,
      );
      expect([diff.status, diff.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(diff.body).toContain(`--- ${first ?? ''}\n+++ ${second ?? ''}\n- rank 1, score `);
      expect(diff.body).toContain('\n+ rank 2, score ');
    });

    it.each<[string, JsonOutput, string]>([
      ['restoreIndices', {}, 'not a JSON list'],
      ['restoreIndices', ['tag'], 'tag'],
      ['restoreIndices', [7], "'urns'"],
      ['restoreIndices?aspectNames=none', ['urn:li:tag:a'], "'aspectNames'"],
      ['restoreIndices?batchSize=0', ['urn:li:tag:a'], "'batchSize'"],
      ['entity/raw', ['urn:li:nothing:a'], 'nothing'],
      ['entity/raw', Array.from({ length: 1_001 }, () => 'urn:li:tag:a'), 'at most 1000'],
    ])('rejects a list at %s: %j', async (path, body, text) => {
      const answer = await send(path, body);
      expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining(text)]);
    });

    it.each(['restoreIndices', 'entity/raw'])(
      '%s of a list needs the token of the operator',
      async (path) => {
        expect((await send(path, ['urn:li:tag:a'], {} as typeof WITH_TOKEN)).status).toBe(401);
      },
    );

    it('restates aspects, and answers a record for each batch', async () => {
      const urn = 'urn:li:tag:restored-by-get';
      await catalog.http.write(urn, 'tagProperties', { name: 'restored' });
      const before = await catalog.parts.store.head();
      const { status, json } = await call(`restoreIndices?urn=${urn}&batchSize=1`);
      const records = json as unknown as readonly JsonObject[];
      expect(status).toBe(200);
      expect(records.length).toBeGreaterThan(1);
      expect(records.at(-1)).toMatchObject({
        ignored: 0,
        rowsMigrated: 1,
        lastUrn: urn,
        lastAspect: 'tagProperties',
      });
      expect(distance(before, await catalog.parts.store.head())).toBe(records.length);
    });
  });

  describe('the audit', () => {
    const list = async (query: string): Promise<readonly JsonObject[]> => {
      const { json } = await catalog.http.get(`/operations/audit${query}`, WITH_TOKEN);
      return at(json, 'records') as unknown as readonly JsonObject[];
    };

    const CALLS = 10;
    /** The minute whose calls share a record may end once between the calls. */
    const expectFew = (records: readonly JsonObject[], expected: JsonObject): void => {
      expect([1, 2, 3, 4]).toContain(records.length);
      expect(records[0]).toMatchObject(expected);
    };
    /** Another address than that of the guesses, which is locked out. */
    const FROM_PROXY = { ...WITH_TOKEN, 'x-forwarded-for': '192.0.2.66, 203.0.113.8' };

    it('has a record of each call that may have changed something, rejected ones too', async () => {
      const call = 'POST /operations truncateTimeseriesAspect';
      await ask('truncateTimeseriesAspect', truncation());
      await ask('truncateTimeseriesAspect', truncation({ aspect: 'no-such-aspect' }));
      const of = {
        actor: ACTOR,
        token: 'operator',
        address: '127.0.0.1',
        call,
        durationMillis: expect.any(Number),
        timeMillis: expect.any(Number),
      };
      expect(await list(`?count=2&call=${encodeURIComponent(call)}`)).toEqual([
        {
          ...of,
          id: expect.any(Number),
          parameters: truncation({ aspect: 'no-such-aspect' }),
          outcome: 'rejected',
          status: 400,
        },
        { ...of, id: expect.any(Number), parameters: truncation(), outcome: 'done', status: 200 },
      ]);
    });

    it('has a record of a deletion', async () => {
      const urn = 'urn:li:tag:deleted-by-somebody';
      const deletion = stringifyJson({ urn });
      expect((await catalog.http.post('/entities?action=delete', deletion, WITH_TOKEN)).status).toBe(200);
      const call = encodeURIComponent('POST /entities delete');
      expect(await list(`?count=1&call=${call}`)).toMatchObject([
        { actor: ACTOR, parameters: { urn }, outcome: 'done', status: 200 },
      ]);
    });

    it('has one record of a refused call, without secrets, from the address that a trusted proxy names', async () => {
      const token = {
        authorization: 'Bearer a-wrong-token-of-somebody',
        'x-forwarded-for': '192.0.2.66, 203.0.113.7',
      };
      for (let times = 0; times < CALLS; times += 1) {
        expect((await ask('cancelTask', { task: 'node:7' }, token)).status).toBe(401);
      }
      const records = await list('?address=203.0.113.7&status=401');
      expectFew(records, {
        actor: 'urn:li:corpuser:unknown',
        call: 'POST /operations cancelTask',
        outcome: 'rejected',
        address: '203.0.113.7',
      });
      expect(stringifyJson(records as unknown as JsonOutput)).not.toContain('a-wrong-token');
      expect(await list('?address=192.0.2.66')).toEqual([]);
    });

    it('has a record of a read, and shares it with reads that follow', async () => {
      const query = `?address=203.0.113.8&call=${encodeURIComponent('GET /operations/tasks')}`;
      for (let times = 0; times < CALLS; times += 1) {
        expect((await catalog.http.get('/operations/tasks', FROM_PROXY)).status).toBe(200);
      }
      expectFew(await list(query), { actor: ACTOR, outcome: 'done', status: 200 });
    });

    it('is read page by page, with the token of the operator', async () => {
      const [first, second] = await list('?count=2');
      expect(await list(`?count=1&before=${String(first?.id as number)}`)).toEqual([second]);
      expect(await list(`?actor=urn:li:corpuser:nobody`)).toEqual([]);
      expect(await list('?to=2001-01-01')).toEqual([]);
      expect((await list('?from=2001-01-01&outcome=done')).length).toBeGreaterThan(0);
      expect((await catalog.http.get('/operations/audit')).status).toBe(401);
    });

    it('is exported as JSON lines', async () => {
      const call = encodeURIComponent('POST /operations truncateTimeseriesAspect');
      const records = await list(`?call=${call}`);
      const path = `/operations/audit?call=${call}`;
      const read = async (target: string, headers = {}): Promise<readonly JsonValue[]> => {
        const answer = await fetch(catalog.url + target, { headers: { ...WITH_TOKEN, ...headers } });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
        return (await answer.text()).trimEnd().split('\n').map(parseJson);
      };
      expect(await read(`${path}&format=jsonl`)).toEqual(records);
      expect(await read(path, { accept: 'application/x-ndjson' })).toEqual(records);
      expect(await read(`${path}&format=jsonl&count=1`)).toEqual(records.slice(0, 1));
      expect((await catalog.http.get(`${path}&format=csv`, WITH_TOKEN)).json).toMatchObject({
        status: 400,
        message: expect.stringContaining('Parameter \'format\' is "csv"'),
      });
    });
  });

  describe('the dead letters', () => {
    const list = async (query = ''): Promise<JsonObject> =>
      (await catalog.http.get(`/operations/deadLetters${query}`, WITH_TOKEN)).json as JsonObject;
    const sendUnknown = (urn: string): Promise<unknown> =>
      catalog.http.ingest({
        urn,
        aspectName: 'noSuchAspect',
        value: { is: 'kept' },
        parameters: { async: 'true' },
      });

    it('lists what the writer rejected after it was logged, the newest first', async () => {
      await sendUnknown('urn:li:tag:dead-letter-1');
      await until(async () => (await list('?waiting=true')).total === 1);
      await sendUnknown('urn:li:tag:dead-letter-2');
      await until(async () => (await list('?waiting=true')).total === 2);
      const page = await list('?waiting=true&count=1');
      expect(page).toMatchObject({ start: 0, count: 1, total: 2 });
      expect(page.deadLetters).toEqual([
        expect.objectContaining({
          waits: true,
          reason: expect.stringContaining('noSuchAspect'),
          rejectedMillis: expect.any(Number),
          offset: expect.any(Number),
          bytes: expect.any(Number),
          proposalCount: 1,
          proposals: [
            {
              entityType: 'tag',
              urn: 'urn:li:tag:dead-letter-2',
              aspectName: 'noSuchAspect',
              changeType: 'UPSERT',
              value: '{"is":"kept"}',
            },
          ],
        }),
      ]);
      const second = at(
        await list('?waiting=true&start=1'),
        'deadLetters',
      ) as unknown as readonly JsonObject[];
      expect(second.map((each) => at(each, 'proposals', '0', 'urn'))).toEqual(['urn:li:tag:dead-letter-1']);
      const large = {
        urn: 'urn:li:tag:dead-letter-3',
        aspectName: 'noSuchAspect',
        parameters: { async: 'true' },
      };
      await catalog.http.ingest({ ...large, value: { is: 'x'.repeat(20_000) } });
      await until(async () => (await list('?waiting=true')).total === 3);
      const [third] = at(await list('?count=1'), 'deadLetters') as unknown as readonly JsonObject[];
      expect(third?.proposals).toBeUndefined();
      expect(Buffer.from(third?.beginning as string, 'base64').toString()).toContain(large.urn);
      expect(await list('?waiting=false')).toEqual({ start: 0, count: 0, total: 0, deadLetters: [] });
    });

    it('is for operators only', async () => {
      expect((await catalog.http.get('/operations/deadLetters')).status).toBe(401);
    });
  });

  describe('restoreIndices', () => {
    const NAMES = ['one', 'two', 'three'].map((name) => `urn:li:dataPlatform:restored-${name}`);
    const TIME = String.raw`\d+`;

    beforeAll(async () => {
      for (const urn of NAMES) {
        await catalog.http.write(urn, 'dataPlatformInfo', {
          name: urn,
          type: 'OTHERS',
          datasetNameDelimiter: '.',
        });
      }
    });

    /** The numbers of restated and ignored aspects, and of the changes that the call made. */
    const restore = async (body: JsonOutputObject, path = '/operations'): Promise<readonly unknown[]> => {
      const before = await catalog.parts.store.head();
      const answer = await catalog.http.post(
        `${path}?action=restoreIndices`,
        stringifyJson(body),
        WITH_TOKEN,
      );
      const text = (at(answer.json, 'value') as string | undefined) ?? '';
      const changes = distance(before, await catalog.parts.store.head());
      const numbers = [...text.matchAll(/ignored=(\d+), rowsMigrated=(\d+)/g)];
      return [
        answer.status,
        ...numbers.map(([, ignored, rows]) => `${rows ?? ''}/${ignored ?? ''}`),
        changes,
      ];
    };

    it('restates the aspects of an entity, in the words of the reference', async () => {
      const [urn = ''] = NAMES;
      const { status, json } = await ask('restoreIndices', { urn, aspect: 'dataPlatformInfo' });
      const args =
        `args=RestoreIndicesArgs\\(start=0, batchSize=10, limit=0, numThreads=1, batchDelayMs=1, gePitEpochMs=0, lePitEpochMs=${TIME}, ` +
        `aspectName=dataPlatformInfo, urn=${urn}, urnLike=null, urnBasedPagination=false, lastUrn=, lastAspect=\\)`;
      const result =
        `result=RestoreIndicesResult\\(ignored=0, rowsMigrated=1, timeSqlQueryMs=${TIME}, timeGetRowMs=0, timeUrnMs=0, ` +
        `timeEntityRegistryCheckMs=0, aspectCheckMs=0, createRecordMs=0, sendMessageMs=${TIME}, defaultAspectsCreated=0, ` +
        `lastUrn=${urn}, lastAspect=dataPlatformInfo\\)`;
      expect([status, at(json, 'value')]).toEqual([
        200,
        expect.stringMatching(new RegExp(`^\\{${args}, ${result}\\}$`)),
      ]);
    });

    it('makes one change for each aspect, and no version', async () => {
      const [urn = ''] = NAMES;
      const aspects = Object.keys(at((await catalog.http.entity(urn)).json, 'aspects') ?? {}).length;
      expect(await restore({ urn })).toEqual([200, `${String(aspects)}/0`, aspects]);
      const versions = await catalog.http.get(
        `/aspects/${encodeURIComponent(urn)}?aspect=dataPlatformInfo&startVersion=1`,
      );
      expect(at(versions.json, 'versions')).toHaveLength(1);
    });

    it.each([
      [{ urnLike: 'urn:li:dataPlatform:restored-%', aspect: 'dataPlatformInfo' }, [200, '3/0', 3]],
      [{ urnLike: 'urn:dataPlatform:restored-%', aspect: 'dataPlatformInfo' }, [200, '3/0', 3]],
      [
        { urnLike: 'urn:li:dataPlatform:restored-%', aspect: 'dataPlatformInfo', start: 1, batchSize: 1 },
        [200, '1/0', 1],
      ],
      [
        { urnLike: 'urn:li:dataPlatform:restored-%', aspect: 'dataPlatformInfo', batchSize: 2, limit: 0 },
        [200, '2/0', '1/0', 3],
      ],
      [
        { urnLike: 'urn:li:dataPlatform:restored-%', aspect: 'dataPlatformInfo', batchSize: 1, limit: 2 },
        [200, '1/0', '1/0', 2],
      ],
      [{ urnLike: 'urn:li:dataPlatform:restored-%', gePitEpochMs: 4_000_000_000_000 }, [200, '0/0', 0]],
      [{ urnLike: 'urn:li:dataPlatform:restored-%', lePitEpochMs: 1 }, [200, '0/0', 0]],
      [{ urnLike: 'urn:li:chart:%' }, [200, '0/0', 0]],
    ])('selects by %j', async (body, expected) => {
      expect(await restore(body)).toEqual(expected);
      expect(await restore(body, '/gms/aspects')).toEqual(expected);
    });

    it.each([
      { urn: 'none' },
      { urn: 'urn:li:tags:x' },
      { urnLike: 'a\\' },
      { batchSize: 0 },
      { start: -1 },
      { aspect: 'none' },
    ])('rejects %j, and restates nothing', async (body) => {
      expect(await restore(body)).toEqual([400, 0]);
    });
  });

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
      const { task } = await catalog.parts.tasks.create({ kind: 'idle', parameters: { n }, actor: ACTOR });
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

    it('take turns on an index: a rebuild waits for the task before it, and a pause of that one holds', async () => {
      const before = await catalog.parts.tasks.create({
        kind: 'idle',
        parameters: { index: 'search' },
        actor: ACTOR,
        subjects: ['index search'],
      });
      await catalog.parts.tasks.request(before.task.id, 'pause', ACTOR);
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
      const urn = 'urn:li:tag:retained';
      const policy = 'urn:li:dataHubRetention:(tag,tagProperties)';
      const passes = async (): Promise<readonly JsonObject[]> =>
        at(
          (await get('?kind=apply-retention&state=completed')).json,
          'tasks',
        ) as unknown as readonly JsonObject[];
      for (const name of ['a', 'b', 'c']) await catalog.http.write(urn, 'tagProperties', { name });
      const value = { retention: { version: { maxVersions: 1 } } };
      const aspect = { aspectName: 'dataHubRetentionConfig', value, headers: WITH_TOKEN };
      expect((await catalog.http.ingest({ urn: policy, ...aspect })).status).toBe(200);
      await until(async () => (await passes()).length > 0);
      const { histories } = catalog.parts;
      const first = await histories.readLastPass();
      await until(async () => (await histories.readLastPass()) !== first);
      const second = await histories.readLastPass();
      await until(async () => (await histories.readLastPass()) !== second);
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
    const follow = async (task: string) => {
      const response = await fetch(`${catalog.url}/operations/tasks/${task}/events`, {
        headers: { ...WITH_TOKEN, accept: 'text/event-stream' },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      let text = '';
      const reading = (async () => {
        for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
      })();
      return {
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

    it('end for their followers also without a record', async () => {
      const { tasks } = catalog.parts;
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

  searchedValues(catalog, WITH_TOKEN);

  describe('actions of metadata tests', () => {
    actionsSuite(catalog, WITH_TOKEN);
  });
}
