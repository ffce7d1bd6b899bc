import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresTimeseriesStorage } from '@stratalog/adapters-postgres';
import { timeseriesContent } from '@stratalog/indexing';
import type { ChangeKey } from '@stratalog/domain';
import { systemClock } from '@stratalog/concurrency';
import type { Batch, StoreTransaction, TimeseriesIndex, TimeseriesSource } from '@stratalog/ports';
import { datasetUrn, until } from '@stratalog/testkit';
import { ENGINES } from '../engine/test-engines';
import { TimeseriesIndexFixture } from './timeseries-index.fixture';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1);
const ALL = { startMs: 0, endMs: Number.MAX_SAFE_INTEGER };

/** Runs on each available server, with a store on PostgreSQL. */
describe.each(ENGINES)('an index of timeseries values in $name that is not whole', ({ url }) => {
  let fixture: TimeseriesIndexFixture;

  beforeAll(async () => {
    fixture = await TimeseriesIndexFixture.open(url);
    await fixture.follow();
  });
  afterAll(() => fixture.close());

  const writeDays = async (urn: string, days: readonly number[]): Promise<void> => {
    await fixture.write(
      urn,
      days.map((day) => ({ aspectName: 'operation', timestampMs: START_MS + day * DAY_MS, members: {} })),
    );
    await fixture.caughtUp();
  };

  /** Deletes the values of the first day. */
  const truncateFirstDay = async (): Promise<void> => {
    const storage = new PostgresTimeseriesStorage(fixture.database, {
      clock: systemClock,
      partitions: fixture.store.identity.partitions,
      isPublished: false,
    });
    const truncation = {
      urnPrefix: 'urn:li:dataset:',
      aspectName: 'operation',
      endMs: START_MS + DAY_MS,
      position: await fixture.store.readPartitionSequences(),
      actor: 'urn:li:corpuser:operator',
    };
    await fixture.database.transaction((client) =>
      storage.truncatePage(client as unknown as StoreTransaction, truncation, { limit: 100 }),
    );
    await fixture.caughtUp();
  };

  it('loses an entry of a deleted value that a lost process wrote and never made visible', async () => {
    const urn = datasetUrn('unseen');
    await writeDays(urn, [1, 2]);
    const index = await fixture.live();
    const [entry] = await index.listEntries({ urn, ...ALL }, undefined, 1);
    const lost = await fixture.openVersions().live();
    if (entry === undefined || lost === undefined) throw new Error('No entry');
    await lost.write([{ ...entry, valueKey: 'lost', fields: {}, elements: [], inexact: [] }]);

    await truncateFirstDay();
    await index.makeVisible();
    expect(await fixture.listIndexed([urn])).toEqual(await fixture.listStored([urn]));
  });

  /** The changes that wrote the values of an entity, as a batch of the change log. */
  const readChanges = async (index: TimeseriesIndex, urn: string): Promise<Batch<ChangeKey>> => {
    const entries = await index.listEntries({ urn, ...ALL }, undefined, 10);
    const records = entries.map(({ aspectName, timestampMs, seq }) => {
      const value = { urn, aspectName, version: timestampMs, seq, isTimeseriesValue: true as const };
      return { content: { kind: 'decoded' as const, value } };
    });
    return { records, ranges: [] } as unknown as Batch<ChangeKey>;
  };

  /** A process that has read the values of an entity and stands still before it writes them. The function that it resolves to lets it go on. */
  const standStill = async (index: TimeseriesIndex, urn: string): Promise<() => Promise<void>> => {
    let hasRead = false;
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const followed = fixture.followed({
      readRange: (range) => fixture.source.readRange(range),
      filterStored: (values) => fixture.source.filterStored(values),
      countValues: (aspectNames) => fixture.source.countValues(aspectNames),
      readWritten: async (changes) => {
        const values = await fixture.source.readWritten(changes);
        hasRead = true;
        await gate;
        return values;
      },
    });
    const applying = timeseriesContent({ ...followed, lateMs: 0 }).applyTo(index)(
      await readChanges(index, urn),
    );
    await until(() => hasRead);
    return async () => {
      goOn();
      await applying;
      await index.makeVisible();
    };
  };

  it('keeps the newer entry of a value that a process writes which stood still while it was replaced', async () => {
    const urn = datasetUrn('replaced');
    await writeDays(urn, [1, 2]);
    const index = await fixture.live();
    const goOn = await standStill(index, urn);
    await fixture.write(urn, [
      { aspectName: 'operation', timestampMs: START_MS + DAY_MS, members: { numAffectedRows: 7 } },
    ]);
    await fixture.caughtUp();
    await goOn();
    expect(await fixture.listIndexed([urn])).toEqual(await fixture.listStored([urn]));
  });

  it('keeps no entry of a deleted value that a process writes which stood still for longer than the engine remembers', async () => {
    const urn = datasetUrn('ghost');
    await writeDays(urn, [1, 2]);
    const index = await fixture.live();
    const { client } = fixture.engine;
    await client.indices.putSettings({ index: index.name, settings: { 'index.gc_deletes': '0s' } });
    const goOn = await standStill(index, urn);
    await truncateFirstDay();
    await index.makeVisible();
    await goOn();
    expect(await fixture.listIndexed([urn])).toEqual(await fixture.listStored([urn]));
  });

  it('answers nothing while another version replaces it', async () => {
    const urn = datasetUrn('lacking');
    await writeDays(urn, [1, 2]);
    await fixture.stopFollowing();
    const wrong = await fixture.live();
    await wrong.deleteEntries(await wrong.listEntries({ urn, ...ALL }, undefined, 1), 0);
    await wrong.makeVisible();

    let isHeld = true;
    const source: TimeseriesSource = {
      readWritten: (changes) => fixture.source.readWritten(changes),
      filterStored: (values) => fixture.source.filterStored(values),
      countValues: (aspectNames) => fixture.source.countValues(aspectNames),
      readRange: async (range) => {
        await until(() => !isHeld);
        return fixture.source.readRange(range);
      },
    };
    await fixture.follow(source);
    await until(async () => (await fixture.indexes.live()) === undefined);
    isHeld = false;
    await until(async () => (await fixture.indexes.live()) !== undefined);
    await fixture.caughtUp();
    expect(await fixture.listIndexed([urn])).toEqual(await fixture.listStored([urn]));
  });
});
