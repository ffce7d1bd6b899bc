import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError, type ChangeKey, type PartitionSequences } from '@stratalog/domain';
import type { AspectStore, ChangeLog, Subscription } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from './builders';
import { until } from './until';

export interface ChangeLogUnderTest {
  readonly log: ChangeLog;
  readonly store: AspectStore;
}

/** The contract of every {@link ChangeLog}. */
export function changeLogContract(create: () => Promise<ChangeLogUnderTest>): void {
  describe('ChangeLog', () => {
    let under: ChangeLogUnderTest;
    let subscription: Subscription | undefined;
    let seen: ChangeKey[];

    beforeEach(async () => {
      under = await create();
      seen = [];
    });
    afterEach(async () => {
      await subscription?.stop();
    });

    const write = async (urn: string, value: string): Promise<void> => {
      const range = toRange(urn, under.store.identity.partitions, 0);
      const from = (await under.store.readPartitionSequences()).get(range.partition) ?? 0;
      await under.store.commit(
        plainBatch([{ ...range, from, to: from + 1 }], [{ urn, aspectName: 'status', value }]),
      );
    };
    const consume = async (after: PartitionSequences, failures = 0): Promise<void> => {
      let left = failures;
      subscription = under.log.consume(
        { name: 'test', after: () => Promise.resolve(after), maxRecords: 4 },
        (batch) => {
          if (left-- > 0) return Promise.resolve({ kind: 'retry', cause: new UnavailableError('away') });
          seen.push(
            ...batch.records.flatMap(({ content }) => (content.kind === 'decoded' ? [content.value] : [])),
          );
          return Promise.resolve({ kind: 'done', results: [] });
        },
      );
      await subscription.start();
    };
    const seqsOf = (partition: number): number[] =>
      seen.flatMap((key) => (key.partition === partition ? [key.seq] : []));

    it('delivers every change once, per partition in order, those before the start and those after', async () => {
      const urns = Array.from({ length: 12 }, (_, at) => datasetUrn(`c${String(at)}`));
      for (const urn of urns) await write(urn, '{}');
      await consume(new Map());
      for (const urn of urns) await write(urn, '{"removed":true}');
      await until(() => seen.length >= 24);

      for (const [partition, last] of await under.store.readPartitionSequences()) {
        expect(seqsOf(partition)).toEqual(Array.from({ length: last }, (_, at) => at + 1));
      }
      expect(seen.find((key) => key.urn === urns[0])).toMatchObject({ aspectName: 'status', version: 1 });
    });

    it('starts after the given position', async () => {
      const urn = datasetUrn('later');
      await write(urn, '{}');
      await write(urn, '{"removed":true}');
      const { partition } = toRange(urn, under.store.identity.partitions, 0);
      await consume(new Map([[partition, 1]]));
      await until(() => seen.length > 0);
      expect(seen.map(({ seq }) => seq)).toEqual([2]);
    });

    it('delivers a batch again that was answered with retry', async () => {
      await write(datasetUrn('again'), '{}');
      await consume(new Map(), 2);
      await until(() => subscription?.status().state === 'retrying');
      await until(() => seen.length > 0);
      await until(() => subscription?.status().state === 'running');
      expect(seen).toHaveLength(1);
    });
  });
}
