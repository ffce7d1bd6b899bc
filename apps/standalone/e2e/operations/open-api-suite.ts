import { describe, expect, it } from '@jest/globals';
import { distance } from '@stratalog/domain';
import { stringifyJson, type JsonObject, type JsonOutput } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { ACTOR, WITH_TOKEN, type OperatorCalls } from './operator-calls';

/** The calls at the OpenAPI addresses of DataHub. */
export function openApiSuite({ catalog, ask, readEsTaskStatus }: OperatorCalls): void {
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
      const { task } = await catalog.deps.tasks.create({ kind: 'idle-too', parameters: {}, actor: ACTOR });
      const { status, json } = await call(`getTaskStatus?task=${String(task.id)}`);
      const name = at(json, 'taskId') as string;
      expect([status, json]).toEqual([
        200,
        { completed: false, taskId: expect.any(String), runTimeNanos: 0, status: expect.any(String) },
      ]);
      expect(json).toEqual(await readEsTaskStatus({ task: name }));
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
      const before = await catalog.deps.store.readPartitionSequences();
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
      expect(distance(before, await catalog.deps.store.readPartitionSequences())).toBe(4);
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
      ['restoreIndices', [7], '/urns/0 :: 7 is not a string'],
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
      const before = await catalog.deps.store.readPartitionSequences();
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
      expect(distance(before, await catalog.deps.store.readPartitionSequences())).toBe(records.length);
    });
  });
}
