import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@stratalog/concurrency';
import { PostgresTimeseriesStorage } from './timeseries-storage';
import { useSuiteDatabase } from '../testing/suite-database';

const PARTITIONS = 4;

describe('PostgresTimeseriesStorage', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });

  const run = (statement: string, values: readonly unknown[] = []) =>
    suite.database.use((client) => client.query<Record<string, number>>(statement, [...values]));

  describe('measures sizes', () => {
    const storage = () =>
      new PostgresTimeseriesStorage(suite.database, {
        clock: systemClock,
        partitions: PARTITIONS,
        isPublished: false,
      });
    /** Adds values of `bytes` to series of ten entities, in the default partition and one month. */
    const fill = (type: string, aspect: string, count: number, bytes: number): Promise<unknown> =>
      run(
        `insert into timeseries_value (urn, aspect, timestamp_ms, value_key, seq, value, system_metadata)
         select format('urn:li:%s:(%s)', $1::text, n % 10), $2, n * 1000, md5(n::text), n, string_agg(md5((n * 100 + part)::text), ''), '{}'
           from generate_series(1, $3::integer) n, generate_series(1, $4::integer / 32) part group by n`,
        [type, aspect, count, bytes],
      );
    const reported = async (): Promise<number> => {
      const { rows } = await run(
        `select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits where inhparent = 'timeseries_value'::regclass`,
      );
      return rows[0]?.bytes ?? 0;
    };
    const measured = async (): Promise<ReadonlyMap<string, number>> =>
      new Map(
        (await storage().measureSizes()).map(({ entityType, aspectName, bytes }) => [
          `${entityType}/${aspectName}`,
          bytes,
        ]),
      );
    const expectNear = (actual: number | undefined, expected: number): void => {
      expect(actual).toBeGreaterThan(expected * 0.95);
      expect(actual).toBeLessThan(expected * 1.05);
    };

    it('measures sizes of nothing as nothing', async () => {
      await run('truncate timeseries_value');
      expect(await storage().measureSizes()).toEqual([]);
    });

    it('measures sizes of each series, as the server reports them together', async () => {
      await run('truncate timeseries_value');
      await fill('dataset', 'datasetProfile', 20_000, 320);
      const alone = await reported();
      expectNear((await measured()).get('dataset/datasetProfile'), alone);
      await fill('chart', 'chartUsageStatistics', 10_000, 960);
      const [sizes, both] = [await measured(), await reported()];
      expectNear(sizes.get('dataset/datasetProfile'), alone);
      expectNear(sizes.get('chart/chartUsageStatistics'), both - alone);
      expectNear(
        [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
        both,
      );
    });

    it('together with the number and the timestamps of the values', async () => {
      await run('truncate timeseries_value');
      await fill('dataset', 'datasetProfile', 2_000, 320);
      await fill('chart', 'chartUsageStatistics', 30, 320);
      const found = (await storage().measureSizes()).map(({ aspectName, values }) => [aspectName, values]);
      expect(Object.fromEntries(found)).toEqual({
        datasetProfile: { count: 2_000, oldestMs: 1_000, newestMs: 2_000_000 },
        chartUsageStatistics: { count: 30, oldestMs: 1_000, newestMs: 30_000 },
      });
    });

    it('measures sizes of values that are stored apart from their rows', async () => {
      await run('truncate timeseries_value');
      await fill('dataset', 'operation', 4_000, 160);
      const small = await reported();
      await fill('dataset', 'datasetProfile', 400, 16_000);
      const sizes = await measured();
      expectNear(sizes.get('dataset/datasetProfile'), (await reported()) - small);
    });
  });
});
