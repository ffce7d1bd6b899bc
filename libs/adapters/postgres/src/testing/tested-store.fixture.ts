import { beforeEach } from '@jest/globals';
import { datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import type { PostgresAspectStore } from '../aspect-store/aspect-store';
import type { Database } from '../database/database';
import { openEmptyStore, type StoreUnderTest } from './empty-store';
import { useSuiteDatabase, type SuiteDatabase } from './suite-database';

/** The aspect that most tests write. */
export const ASPECT = { urn: datasetUrn('orders'), aspectName: 'datasetProperties' } as const;

/** A new store for each test, with short methods for writing. */
class TestedStore {
  private opened: StoreUnderTest | undefined;

  constructor(private readonly suite: SuiteDatabase) {}

  /** Opens a new store, which the next test writes to. */
  async open(): Promise<void> {
    this.opened = await openEmptyStore(this.suite.database);
  }

  get database(): Database {
    return this.suite.database;
  }

  get store(): PostgresAspectStore {
    return this.current.store;
  }

  get clock(): StoreUnderTest['clock'] {
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

  private get current(): StoreUnderTest {
    if (this.opened === undefined) throw new Error('a store is there only within a test');
    return this.opened;
  }
}

/** Registers hooks that give each test of a suite a new store. */
export function useTestedStore(): TestedStore {
  const tested = new TestedStore(useSuiteDatabase({ poolSize: 8 }));
  beforeEach(() => tested.open());
  return tested;
}
