import { describe, expect, it } from '@jest/globals';
import { parseJson, stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { ACTOR, DAY_MS, START_MS, URNS, WITH_TOKEN, truncation, type OperatorCalls } from './operator-calls';

const DRY_RUN = 'This was a dry run. Run with dryRun = false to execute.';

/** Sizes of timeseries values, and their truncation. */
export function timeseriesSuite({ catalog, ask, get, readEsTaskStatus }: OperatorCalls): void {
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
        valueCount: 0,
      });
      const profiles = sizes.find(({ aspectName }) => aspectName === 'datasetprofile');
      expect(profiles?.sizeMb).toBeGreaterThan(0);
      expect(profiles?.sizeInMb).toBe(profiles?.sizeMb);
      expect(profiles).toMatchObject({
        valueCount: 15,
        oldestMillis: START_MS,
        newestMillis: START_MS + 4 * DAY_MS,
      });
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
      await until(async () => (await readEsTaskStatus({ task })).completed === true);
      const done = await readEsTaskStatus({
        nodeId: task.split(':')[0] ?? '',
        taskId: Number(task.split(':')[1]),
      });
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
}

/** The expiry of timeseries values by a policy. */
export function expirySuite({ catalog, get }: OperatorCalls): void {
  describe('the retention of timeseries values', () => {
    it('truncates what is older than the policy of the aspect permits, by a task, and nothing else', async () => {
      const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,expiring,PROD)';
      const nowMs = Date.now();
      for (const daysAgo of [40, 31, 29, 0]) {
        const timestampMillis = nowMs - daysAgo * DAY_MS;
        await catalog.http.write(urn, 'datasetUsageStatistics', {
          timestampMillis,
          totalSqlQueries: daysAgo,
        });
      }
      const policy = { retention: { time: { maxAgeInSeconds: (30 * DAY_MS) / 1_000 } } };
      const rule = 'urn:li:dataHubRetention:(dataset,datasetUsageStatistics)';
      const retain = async (value: JsonOutputObject): Promise<void> => {
        const sent = { urn: rule, aspectName: 'dataHubRetentionConfig', value, headers: WITH_TOKEN };
        expect((await catalog.http.ingest(sent)).status).toBe(200);
      };
      await retain(policy);
      const left = async (): Promise<readonly JsonObject[]> => {
        const body = { urn, entity: 'dataset', aspect: 'datasetUsageStatistics' };
        const answer = await catalog.http.post(
          '/aspects?action=getTimeseriesAspectValues',
          stringifyJson(body),
        );
        return at(answer.json, 'value', 'values') as unknown as readonly JsonObject[];
      };
      await until(async () => (await left()).length === 2);
      expect(stringifyJson(await left())).toMatch(/totalSqlQueries\\":0\b.*totalSqlQueries\\":29\b/);
      await retain({ retention: {} });
      const { json } = await get('?kind=expire-timeseries&state=completed');
      const made = (at(json, 'tasks') as unknown as readonly JsonObject[]).map(({ outcome }) => outcome);
      // One for each second; the first found two values.
      expect(made.at(-1)).toEqual({ truncations: 1 });
      const [truncated] = at(
        (await get('?kind=truncate-timeseries')).json,
        'tasks',
      ) as unknown as readonly JsonObject[];
      expect(truncated).toMatchObject({
        outcome: { deleted: 2 },
        requestedBy: 'urn:li:corpuser:__datahub_system',
      });
    });
  });
}
