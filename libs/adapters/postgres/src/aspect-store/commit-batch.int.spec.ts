import { describe, expect, it } from '@jest/globals';
import type { Steps } from '@stratalog/model';
import { inSlices, systemClock, Notifier } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresAspectStore } from './aspect-store';

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
});
