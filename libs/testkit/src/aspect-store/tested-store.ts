import { beforeEach } from '@jest/globals';
import type { AspectStore, Clock, WriteSet } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from '../builders';

export interface AspectStoreUnderTest {
  readonly store: AspectStore;
  /** Set by the suite; the store stamps with it. */
  readonly clock: { time: number } & Clock;
}

/** The one that most tests write. */
export const ASPECT = { urn: datasetUrn('orders'), aspectName: 'datasetProperties' } as const;

export const NO_WRITES: WriteSet = {
  changes: [],
  deletions: [],
  refreshes: [],
  rejections: [],
  outcomes: [],
};

/** A new store for each test, and the shortest ways to write into it. */
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

  /** Writes aspects of an entity after whatever its partition holds. */
  async append(urn: string, values: Readonly<Record<string, string>>): Promise<void> {
    const writes = Object.entries(values).map(([aspectName, value]) => ({ urn, aspectName, value }));
    const range = toRange(urn, this.partitions, await this.applied(urn), writes.length);
    await this.store.commit(plainBatch([range], writes));
  }

  /** Up to where the partition of a urn is applied, while each record was one change. */
  async applied(urn: string): Promise<number> {
    return (await this.store.head()).get(toRange(urn, this.partitions, 0).partition) ?? 0;
  }

  private get current(): AspectStoreUnderTest {
    if (this.opened === undefined) throw new Error('a store is there only within a test');
    return this.opened;
  }
}
