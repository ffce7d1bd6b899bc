import { beforeEach } from '@jest/globals';
import type { AspectStore, Clock, WriteSet } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from '../builders';

export interface AspectStoreUnderTest {
  readonly store: AspectStore;
  /** Set by the suite; the store takes its stamps from it. */
  readonly clock: { time: number } & Clock;
}

/** The aspect that most tests write. */
export const ASPECT = { urn: datasetUrn('orders'), aspectName: 'datasetProperties' } as const;

export const NO_WRITES: WriteSet = {
  changes: [],
  deletions: [],
  refreshes: [],
  rejections: [],
  outcomes: [],
};

/** A new store for each test, with short methods for writing. */
export class TestedStore {
  private constructor(private opened: AspectStoreUnderTest | undefined) {}

  static forEachTest(open: () => Promise<AspectStoreUnderTest>): TestedStore {
    const tested = new TestedStore(undefined);
    beforeEach(async () => {
      tested.opened = await open();
    });
    return tested;
  }

  get store(): AspectStore {
    return this.current.store;
  }

  get clock(): AspectStoreUnderTest['clock'] {
    return this.current.clock;
  }

  get partitions(): number {
    return this.store.identity.partitions;
  }

  /** Writes a value of {@link ASPECT} as the record that follows `from`. */
  async write(value: string, from: number): Promise<void> {
    const range = toRange(ASPECT.urn, this.partitions, from);
    await this.store.commit(plainBatch([range], [{ ...ASPECT, value }]));
  }

  /** Writes aspects of an entity after the last record of its partition. */
  async append(urn: string, values: Readonly<Record<string, string>>): Promise<void> {
    const writes = Object.entries(values).map(([aspectName, value]) => ({ urn, aspectName, value }));
    const range = toRange(urn, this.partitions, await this.readCommittedOffset(urn), writes.length);
    await this.store.commit(plainBatch([range], writes));
  }

  /** Returns the committed offset of a urn's partition; holds while each record is one change. */
  async readCommittedOffset(urn: string): Promise<number> {
    return (await this.store.readPartitionSequences()).get(toRange(urn, this.partitions, 0).partition) ?? 0;
  }

  private get current(): AspectStoreUnderTest {
    if (this.opened === undefined) throw new Error('a store is there only within a test');
    return this.opened;
  }
}
