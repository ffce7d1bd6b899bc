import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import type { SuiteCatalog } from '../testing/catalog/suite-catalog';

const ASPECT = 'datasetUsageStatistics';
const DAY_MS = 86_400_000;
const WAIT_MS = limitMs(60_000);

/** Searches by the latest values of timeseries aspects, whatever happens to these. */
export function searchedValues(catalog: SuiteCatalog, headers: Readonly<Record<string, string>>): void {
  const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,searched-by-usage,PROD)';
  const call = async (target: string, body: JsonOutputObject): Promise<Answer> => {
    const answer = await catalog.http.post(target, stringifyJson(body), headers);
    expect([target, answer.status]).toEqual([target, 200]);
    return answer;
  };
  const write = async (day: number, totalSqlQueries: number, runId = 'first'): Promise<string> => {
    const value = { timestampMillis: day * DAY_MS, totalSqlQueries };
    const members = { systemMetadata: { runId } };
    const answer = await catalog.http.ingest({ urn, aspectName: ASPECT, value, members });
    expect(answer.status).toBe(200);
    return answer.headers['x-stratalog-position'] ?? '';
  };
  const isFound = async (field: string, value: string, waitFor?: string): Promise<boolean> => {
    const criteria = [
      { field: 'urn', condition: 'EQUAL', value: urn },
      { field, condition: 'EQUAL', value },
    ];
    const body = { input: '*', entity: 'dataset', start: 0, count: 1, filter: { or: [{ and: criteria }] } };
    const wait = waitFor === undefined ? {} : { 'X-Stratalog-Wait-For': waitFor };
    const { json } = await catalog.http.post('/entities?action=search', stringifyJson(body), wait);
    return at(json, 'value', 'numEntities') === 1;
  };
  const untilShown = async (queries: number): Promise<void> => {
    await until(() => isFound('totalSqlQueries', String(queries)), WAIT_MS);
    expect(await isFound('hasTotalSqlQueriesCount', 'true')).toBe(true);
  };
  const untilEnded = async (task: unknown): Promise<void> => {
    await until(async () => {
      const { json } = await catalog.http.get(`/operations/tasks/${String(task)}`, headers);
      expect(['queued', 'running', 'completed']).toContain(at(json, 'state'));
      return at(json, 'state') === 'completed';
    }, WAIT_MS);
  };

  describe('a dataset is found by the latest value of its usage', () => {
    it('a dataset is found by the latest value of its usage and not by an older one that comes later', async () => {
      await write(2, 20);
      await untilShown(20);
      expect(await isFound('totalSqlQueries', '10', await write(1, 10))).toBe(false);
      await untilShown(20);
      await write(3, 30);
      await untilShown(30);
      expect(await isFound('totalSqlQueries', '20')).toBe(false);
    });

    it('a dataset is found by the latest value of its usage after the deletion of a time range by the one before', async () => {
      await call('/entities?action=delete', { urn, aspectName: ASPECT, startTimeMillis: 3 * DAY_MS });
      await untilShown(20);
    });

    it('a dataset is found by the latest value of its usage after the rollback of a run by that of another', async () => {
      await write(4, 40, 'rolled-back');
      await untilShown(40);
      await call('/runs?action=rollback', { runId: 'rolled-back', dryRun: false, safe: true });
      await untilShown(20);
    });

    it('a dataset is found by the latest value of its usage in a rebuilt index too', async () => {
      const { json } = await call('/operations?action=rebuildIndices', { index: 'search' });
      await untilEnded(at(json, 'value', 'task'));
      await untilShown(20);
    });

    it('a dataset is found by the latest value of its usage until a truncation takes the last one', async () => {
      const series = { entityType: 'dataset', aspect: ASPECT, dryRun: false };
      const older = await call('/operations?action=truncateTimeseriesAspect', {
        ...series,
        endTimeMillis: DAY_MS,
      });
      await untilEnded(at(older.json, 'value'));
      expect(await isFound('totalSqlQueries', '20')).toBe(true);
      const all = await call('/operations?action=truncateTimeseriesAspect', {
        ...series,
        endTimeMillis: 9 * DAY_MS,
      });
      await untilEnded(at(all.json, 'value'));
      await until(async () => !(await isFound('hasTotalSqlQueriesCount', 'true')), WAIT_MS);
      expect(await isFound('totalSqlQueries', '20')).toBe(false);
      expect(await isFound('origin', 'PROD')).toBe(true);
    });
  });
}
