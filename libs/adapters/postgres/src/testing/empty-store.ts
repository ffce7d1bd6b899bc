import { Notifier } from '@stratalog/concurrency';
import type { Clock } from '@stratalog/ports';
import { PostgresAspectStore } from '../aspect-store/aspect-store';
import type { Database } from '../database/database';

export interface StoreUnderTest {
  readonly store: PostgresAspectStore;
  /** Told of each change of the store. */
  readonly changes: Notifier;
  /** Set by the suite; the store takes its stamps from it. */
  readonly clock: { time: number } & Clock;
}

const TABLES = [
  'change',
  'timeseries_value',
  'timeseries_deletion',
  'entity',
  'aspect_latest',
  'proposal_log',
  'dead_letter',
  'store_partition',
  'log_partition',
  'aspect_truncation',
  'retention_pass',
  'relay_lease',
];

/** Deletes what a suite's store holds and opens it again. Few rows are faster deleted than truncated. */
export async function openEmptyStore(database: Database): Promise<StoreUnderTest> {
  await database.use((client) => client.query(TABLES.map((table) => `delete from ${table}`).join(';')));
  const clock = { time: 1_000, now: () => clock.time };
  const changes = new Notifier();
  const store = await PostgresAspectStore.open(database, { clock, partitions: 4, changes });
  return { store, changes, clock };
}
