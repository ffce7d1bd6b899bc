import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { covers, timeseriesValueId } from '@stratalog/domain';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import type { TimeseriesIndex, TimeseriesValueRef } from '@stratalog/ports';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { distributedSettings } from '../testing/catalog/distributed-settings';

const ASPECT = 'datasetUsageStatistics';
const DAY_MS = 86_400_000;
const DAYS = 6;
const WAIT_MS = limitMs(60_000);
const PREFIX = 'urn:li:dataset:';
const ALL = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };
const name = `t${randomBytes(4).toString('hex')}`;
const [KEPT = '', CUT = '', GONE = ''] = ['kept', 'cut', 'gone'].map(
  (table) => `urn:li:dataset:(urn:li:dataPlatform:hive,indexed.${table},PROD)`,
);

describe('the index of timeseries values in an engine, fed through Kafka', () => {
  const catalog = catalogForSuite({
    environment: { ...distributedSettings(name), STRATALOG_TOKEN: 'the-token-of-the-operator' },
  });
  const call = async (target: string, body: JsonOutputObject): Promise<unknown> => {
    const headers = { authorization: 'Bearer the-token-of-the-operator' };
    const { status, json } = await catalog.http.post(target, stringifyJson(body), headers);
    expect([target, status]).toEqual([target, 200]);
    return at(json, 'value');
  };
  const write = async (urn: string, day: number, count: number, more: JsonOutputObject = {}, runId = 'r') => {
    const user = `urn:li:corpuser:${day % 2 === 0 ? 'ann' : 'bob'}`;
    const value = {
      timestampMillis: (day + 1) * DAY_MS,
      totalSqlQueries: count,
      userCounts: [{ user, count }],
      ...more,
    };
    const members = { systemMetadata: { runId } };
    expect((await catalog.http.ingest({ urn, aspectName: ASPECT, value, members })).status).toBe(200);
  };
  const deps = () => {
    const { timeseriesIndex, store } = catalog.deps;
    if (timeseriesIndex === undefined) throw new Error('The catalog has no index of timeseries values');
    return { ...timeseriesIndex, store };
  };
  /** Resolves with the live version once it includes every write. */
  const caughtUp = async (): Promise<TimeseriesIndex> => {
    const { versions, store } = deps();
    const sequences = await store.readPartitionSequences();
    let live: TimeseriesIndex | undefined;
    await until(async () => {
      live = await versions.live();
      return live !== undefined && covers(await live.position(), sequences);
    }, WAIT_MS);
    if (live === undefined) throw new Error('No version is live');
    return live;
  };
  const describeAll = (values: readonly (TimeseriesValueRef & { readonly seq: number })[]) =>
    values.map((value) => `${timeseriesValueId(value)} ${String(value.seq)}`).sort();
  const expectWhole = async (count: number): Promise<void> => {
    const index = await caughtUp();
    const range = { afterUrn: undefined, upToUrn: '\u{10ffff}', after: undefined, limit: 1_000 };
    const stored = await deps().source.readRange(range);
    const indexed = await Promise.all(
      [KEPT, CUT, GONE].map((urn) => index.listEntries({ urn, ...ALL }, undefined, 1_000)),
    );
    expect(describeAll(indexed.flat())).toEqual(describeAll(stored));
    expect([stored.length, await index.count()]).toEqual([count, count]);
  };
  /** Asks for the queries of each user, and expects that the engine answers them too. */
  const countByUser = async (): Promise<unknown> => {
    const index = await caughtUp();
    const count = { source: 'element', path: ['userCounts', 'count'], kind: 'number' } as const;
    const user = { source: 'element', path: ['userCounts', 'user'], kind: 'text' } as const;
    const answer = await index.aggregate({
      urnPrefix: PREFIX,
      aspectName: ASPECT,
      metrics: [{ field: count, aggregation: 'sum' }],
      groups: [{ kind: 'value', field: user }],
      limit: 10,
    });
    const { table } = (await call('/analytics?action=getTimeseriesStats', {
      entityName: 'dataset',
      aspectName: ASPECT,
      metrics: [{ fieldPath: 'userCounts.count', aggregationType: 'SUM' }],
      buckets: [{ type: 'STRING_GROUPING_BUCKET', key: 'userCounts.user' }],
    })) as { readonly table: { readonly rows: unknown } };
    expect(answer?.groups.map(({ keys, values }) => [...keys, ...values])).toEqual(table.rows);
    return table.rows;
  };

  it('has every value, two of one time and a replaced one too', async () => {
    for (const urn of [KEPT, CUT, GONE]) {
      for (let day = 0; day < DAYS; day++) await write(urn, day, day + 1);
    }
    await write(KEPT, 0, 50, { messageId: 'second' });
    await write(KEPT, 1, 70);
    await expectWhole(3 * DAYS + 1);
    expect(await countByUser()).toEqual([
      ['urn:li:corpuser:ann', '77'],
      ['urn:li:corpuser:bob', '104'],
    ]);
  });

  it('loses the values of deletions, rollbacks and truncations, also those written again behind them', async () => {
    await call('/entities?action=delete', { urn: CUT, aspectName: ASPECT, startTimeMillis: 5 * DAY_MS });
    await write(CUT, 5, 6);
    await call('/entities?action=delete', { urn: GONE });
    await write(KEPT, 10, 1_000, {}, 'undone');
    await call('/runs?action=rollback', { runId: 'undone', dryRun: false, safe: true });
    await expectWhole(DAYS + 1 + DAYS - 1);
    const task = await call('/operations?action=truncateTimeseriesAspect', {
      entityType: 'dataset',
      aspect: ASPECT,
      endTimeMillis: DAY_MS,
      dryRun: false,
    });
    await untilEnded(String(task));
    await expectWhole(DAYS - 1 + DAYS - 2);
    expect(await countByUser()).toEqual([
      ['urn:li:corpuser:ann', '11'],
      ['urn:li:corpuser:bob', '92'],
    ]);
  });

  it('is whole after a rebuild during writes and deletions', async () => {
    const { task } = (await call('/operations?action=rebuildIndices', { index: 'timeseries' })) as {
      readonly task: string;
    };
    let written = 0;
    for (let isOver = false; !isOver; isOver = (await readState(task)) === 'completed') {
      await write(KEPT, 100 + written++, 1);
      await write(GONE, 100, 1);
      await call('/entities?action=delete', { urn: GONE, aspectName: ASPECT });
    }
    await expectWhole(DAYS - 1 + DAYS - 2 + written);
  });

  const readState = async (task: string): Promise<unknown> => {
    const headers = { authorization: 'Bearer the-token-of-the-operator' };
    const { json } = await catalog.http.get(`/operations/tasks/${task}`, headers);
    expect(['queued', 'running', 'completed']).toContain(at(json, 'state'));
    return at(json, 'state');
  };
  const untilEnded = (task: string): Promise<void> =>
    until(async () => (await readState(task)) === 'completed', WAIT_MS);
});
