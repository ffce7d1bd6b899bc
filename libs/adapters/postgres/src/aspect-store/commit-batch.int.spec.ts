import { describe, expect, it } from '@jest/globals';
import type { Steps } from '@stratalog/json';
import { inSlices, systemClock, Notifier } from '@stratalog/concurrency';
import type { NewChange } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresAspectStore } from './aspect-store';
import { commitBatch } from './commit-batch';

const URN = datasetUrn('orders');
const PARTITIONS = 2;
/** Longer than the limit after which the server ends a transaction that waits for its process. */
const DECISION_MS = 5_500;

function* workFor(durationMs: number): Steps<void> {
  const end = performance.now() + durationMs;
  while (performance.now() < end) yield;
}

describe('commitBatch', () => {
  const suite = useSuiteDatabase();

  it('keeps its transaction open for a decision that takes long', async () => {
    const options = { clock: systemClock, partitions: PARTITIONS, changes: new Notifier() };
    const store = await PostgresAspectStore.open(suite.database, options);
    const write = { urn: URN, aspectName: 'datasetProperties', value: '{}' };
    const batch = plainBatch([toRange(URN, PARTITIONS, 0)], [write]);
    const outcomes = await store.commit({
      ...batch,
      decide: async (snapshot) => {
        await inSlices(workFor(DECISION_MS));
        return batch.decide(snapshot);
      },
    });
    expect(outcomes).toMatchObject([{ kind: 'written', version: 1 }]);
  });

  it('erases a long history in statements that each stay within the time limit', async () => {
    const urn = datasetUrn('long');
    const { partition } = toRange(urn, PARTITIONS, 0);
    const versions = 4_000;
    const gone: NewChange = {
      ...{ partition, urn, aspectName: 'datasetKey', seq: versions + 12, version: 1, systemMetadata: {} },
      kind: 'delete',
      created: { time: 1, actor: 'urn:li:corpuser:tester' },
    };
    const deletions = [{ urn, seq: versions + 10 }];
    const written = { changes: [gone], deletions, refreshes: [], rejections: [], outcomes: [] };
    const { rows } = await suite.database.use(async (client) => {
      await client.query(
        `insert into change (partition, seq, urn, aspect, version, value, system_metadata, created_ms, actor)
         select $1, 10 + n, $2, 'a' || n % 2, (n + 1) / 2, '{}', '{}', 1, 'x' from generate_series(1, $3::integer + 1) n`,
        [partition, urn, versions],
      );
      // Each erased version takes a millisecond, so all of them together take more than the limit.
      await client.query(
        `create function stall() returns trigger language plpgsql as 'begin perform pg_sleep(0.001); return new; end';
         create trigger stalls before update on change for each row when (old.urn = '${urn}') execute function stall()`,
      );
      await client.query('set statement_timeout = 3500');
      const batch = { ranges: [], reads: [], decide: () => written };
      const context = { clock: systemClock, partitions: PARTITIONS, isPublished: false };
      await commitBatch(client, batch, context);
      return client.query<{ kept: number }>(
        'select count(*)::integer as kept from change where urn = $1 and value is not null',
        [urn],
      );
    });
    // The last version was written after the deletion.
    expect(rows).toEqual([{ kept: 1 }]);
  });
});
