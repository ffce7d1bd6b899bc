import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const FIRST = dataset('shop.sales_a');
const USED = dataset('shop.sales_b');
const REFERRED = dataset('shop.sales_c');
const OWN = dataset('shop.sales_d');

describe('popularity', () => {
  const catalog = catalogForSuite({
    environment: { STRATALOG_POPULARITY: 'strong', STRATALOG_POPULARITY_EVERY_SECONDS: '1' },
  });
  const find = async (): Promise<readonly string[]> => (await catalog.http.find('sales')).urns;
  const features = async (urn: string): Promise<JsonObject> =>
    at((await catalog.http.entity(urn)).json, 'aspects', 'usageFeatures', 'value') as JsonObject;

  it('ranks equally good matches by users and referrers', async () => {
    const { http } = catalog;
    for (const urn of [FIRST, USED, REFERRED]) {
      const name = urn.split(',')[1] ?? '';
      await http.write(urn, 'datasetProperties', { name });
    }
    await http.caughtUp();
    expect(await find()).toEqual([FIRST, USED, REFERRED]);

    for (const upstream of ['x', 'y'].map(dataset)) {
      const upstreams = [{ dataset: REFERRED, type: 'TRANSFORMED' }];
      await http.write(upstream, 'upstreamLineage', { upstreams });
    }
    const timestampMillis = Date.now();
    await http.write(USED, 'datasetUsageStatistics', { timestampMillis, uniqueUserCount: 40 });
    await http.write(USED, 'datasetUsageStatistics', {
      timestampMillis: timestampMillis - 86_400_000,
      uniqueUserCount: 24,
    });
    // Older than what counts.
    await http.write(FIRST, 'datasetUsageStatistics', {
      timestampMillis: timestampMillis - 40 * 86_400_000,
      uniqueUserCount: 10_000,
    });

    // A measurement may fall between the two days of use: the next one counts both.
    await until(async () => at(await features(USED), 'uniqueUserCountLast30Days') === 64);
    expect(await features(USED)).toMatchObject({ combinedSearchRankingMultiplier: 1.6 });
    await until(async () => (await find()).join() === [USED, REFERRED, FIRST].join());
    expect(await features(FIRST)).toBeUndefined();
  });

  it('leaves a multiplier as it is that somebody else has written', async () => {
    const { http, deps } = catalog;
    await http.write(OWN, 'datasetProperties', { name: 'shop.sales_d' });
    await http.write(OWN, 'usageFeatures', { combinedSearchRankingMultiplier: 2, queryCountLast30Days: 7 });
    await until(async () => (await find())[0] === OWN);

    const [last] = await deps.tasks.list({ kind: 'measure-popularity', limit: 1 });
    await until(async () => {
      const later = await deps.tasks.list({ kind: 'measure-popularity', states: ['completed'], limit: 1 });
      return (later[0]?.id ?? 0) > (last?.id ?? 0);
    });
    expect(await features(OWN)).toEqual({ combinedSearchRankingMultiplier: 2, queryCountLast30Days: 7 });
  });
});
