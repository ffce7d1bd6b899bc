import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AspectStore, LogRange, TimeseriesValueRef } from '@stratalog/ports';
import { datasetUrn, timeseriesBatch, toRange } from '@stratalog/testkit';
import { openEmptyStore } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';

describe('the latest values of timeseries aspects', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let store: AspectStore;
  const logged = new Map<number, number>();
  beforeEach(async () => {
    ({ store } = await openEmptyStore(suite.database));
    logged.clear();
  });
  const nextRange = (own: string): LogRange => {
    const { partitions } = store.identity;
    const { partition } = toRange(own, partitions, 0);
    const from = logged.get(partition) ?? 0;
    logged.set(partition, from + 1);
    return toRange(own, partitions, from);
  };
  const writeTo = async (
    own: string,
    ...values: readonly Omit<TimeseriesValueRef & { value: string }, 'urn'>[]
  ): Promise<void> => {
    const timeseriesValues = values.map((value) => ({ urn: own, ...value }));
    await store.commit(timeseriesBatch([nextRange(own)], timeseriesValues));
  };
  const value = (timestampMs: number, text: string, more: Partial<TimeseriesValueRef> = {}) => ({
    aspectName: 'datasetProfile',
    timestampMs,
    valueKey: 'k',
    value: text,
    ...more,
  });

  it('are those with the highest timestamp, and of one timestamp the one that a page lists first', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map((name) => datasetUrn(`latest-${name}`)) as [
      string,
      string,
      string,
    ];
    await writeTo(
      one,
      value(200, '"new"'),
      value(200, '"same time"', { valueKey: 'z' }),
      value(-5, '"first"'),
      value(7, '"an operation"', { aspectName: 'operation' }),
      value(9, '"another aspect"', { aspectName: 'usage' }),
    );
    await writeTo(one, value(100, '"older, but written later"'));
    await writeTo(two, value(1, '"of two"'));
    await writeTo(three, value(1, '"of another aspect"', { aspectName: 'usage' }));
    const { values, rest } = await store.readLatestValues(
      [two, three, datasetUrn('none'), one].flatMap((urn) =>
        ['operation', 'datasetProfile'].map((aspectName) => ({ urn, aspectName })),
      ),
    );
    expect(rest).toEqual([]);
    expect([...values.keys()].sort()).toEqual([one, two].sort());
    expect(values.get(one)).toMatchObject([
      { aspectName: 'datasetProfile', timestampMs: 200, value: '"same time"' },
      { aspectName: 'operation', timestampMs: 7, value: '"an operation"' },
    ]);
    const { timeseriesValues } = await store.readTimeseries({
      urn: one,
      aspectName: 'datasetProfile',
      within: {},
      latestFirst: true,
      limit: 1,
    });
    expect(timeseriesValues[0]).toMatchObject({ timestampMs: 200, value: '"same time"' });
  });

  it('are those of the named pairs of entity and aspect only', async () => {
    const [profiled, operated] = ['profiled', 'operated'].map((name) => datasetUrn(name)) as [string, string];
    const both = [value(1, '"a profile"'), value(2, '"an operation"', { aspectName: 'operation' })];
    for (const urn of [profiled, operated]) await writeTo(urn, ...both);
    const { values } = await store.readLatestValues([
      { urn: profiled, aspectName: 'datasetProfile' },
      { urn: operated, aspectName: 'operation' },
    ]);
    expect(Object.fromEntries(values)).toMatchObject({
      [profiled]: [{ aspectName: 'datasetProfile', timestampMs: 1, value: '"a profile"' }],
      [operated]: [{ aspectName: 'operation', timestampMs: 2, value: '"an operation"' }],
    });
    expect((await store.readLatestValues([])).values.size).toBe(0);
  });

  it('are bounded in size, and the rest is left to the next read', async () => {
    const urns = ['a', 'b', 'c'].map((name) => datasetUrn(`large-values-${name}`));
    const text = JSON.stringify('x'.repeat(9 * 1024 * 1024));
    for (const each of urns) await writeTo(each, value(1, text));
    const read: string[] = [];
    for (let left: readonly string[] = urns; left.length > 0;) {
      const page = await store.readLatestValues(left.map((urn) => ({ urn, aspectName: 'datasetProfile' })));
      expect(page.values.size).toBeGreaterThan(0);
      expect(page.values.size).toBeLessThan(urns.length);
      read.push(...page.values.keys());
      left = page.rest;
    }
    expect(read).toEqual(urns);
  });
});
