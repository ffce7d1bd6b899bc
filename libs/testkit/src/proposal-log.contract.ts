import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  StratalogError,
  UnavailableError,
  proposalsIn,
  type AppliedOutcome,
  type Proposal,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/model';
import type { AspectStore, Batch, BatchHandler, Subscription, ProposalLog, Verdict } from '@stratalog/ports';
import { datasetUrn, plainBatch, proposalFor } from './builders';
import { until } from './until';

export interface ProposalLogUnderTest {
  /** Opens a log on the same storage, as a new process would. */
  readonly open: () => ProposalLog;
  /** The store that commits the log's offsets. */
  readonly store: AspectStore;
}

/** The contract of every {@link ProposalLog}. */
export function proposalLogContract(create: () => Promise<ProposalLogUnderTest>): void {
  describe('ProposalLog', () => {
    let under: ProposalLogUnderTest;
    let log: ProposalLog;
    let subscription: Subscription | undefined;
    let delivered: Proposal[];

    beforeEach(async () => {
      under = await create();
      log = under.open();
      delivered = [];
    });
    afterEach(async () => {
      await subscription?.stop();
      subscription = undefined;
    });

    const consume = async (handler: BatchHandler<ProposalEntry, WriteOutcome>): Promise<void> => {
      subscription = log.consume(handler);
      await subscription.start();
    };
    const apply = async (batch: Batch<ProposalEntry>): Promise<Verdict<WriteOutcome>> => {
      const proposals = batch.records.flatMap(({ content }) =>
        content.kind === 'decoded' ? proposalsIn(content.value) : [],
      );
      const writes = proposals.map(({ urn, aspectName, value }) => ({ urn, aspectName, value: value ?? '' }));
      try {
        const outcomes = [
          ...(await under.store.commit(plainBatch(batch.ranges, writes))),
        ] as AppliedOutcome[];
        const results = batch.records.flatMap(({ content }): WriteOutcome[] => {
          if (content.kind !== 'decoded') return [];
          if (!('proposals' in content.value)) return outcomes.splice(0, 1);
          return [{ kind: 'batch', outcomes: outcomes.splice(0, content.value.proposals.length) }];
        });
        delivered.push(...proposals);
        return { kind: 'done', results };
      } catch (cause) {
        if (cause instanceof StratalogError && cause.retryable) return { kind: 'retry', cause };
        throw cause;
      }
    };
    const versionOf = async (urn: string): Promise<number | undefined> =>
      (await under.store.readEntity(urn))?.aspects[0]?.version;

    it('keeps a batch together: one record, delivered and applied as one', async () => {
      const urns = ['one', 'two', 'three', 'four', 'five'].map((name) => datasetUrn(`together-${name}`));
      const [first, ...others] = urns.map((urn) => proposalFor(urn));
      if (first === undefined) throw new Error('there is no proposal');
      const sizes: number[] = [];
      await consume((batch) => {
        for (const { content } of batch.records) {
          if (content.kind === 'decoded') sizes.push(proposalsIn(content.value).length);
        }
        return apply(batch);
      });
      const [appended] = await log.append([{ proposals: [first, ...others] }], { awaited: true });
      await until(() => delivered.length === urns.length);
      expect(sizes).toEqual([urns.length]);
      expect(delivered.map(({ urn }) => urn)).toEqual(urns);
      for (const urn of urns) expect(await versionOf(urn)).toBe(1);
      if (appended?.outcome !== undefined) expect(appended.outcome.kind).toBe('batch');
    });

    it('delivers what was appended before anyone consumed', async () => {
      const urn = datasetUrn('early');
      const [appended] = await log.append([proposalFor(urn)], { awaited: false });
      expect(appended?.outcome).toBeUndefined();
      await consume(apply);
      await until(async () => (await versionOf(urn)) === 1);
      expect(delivered).toEqual([proposalFor(urn)]);
    });

    it('counts what is logged and not applied', async () => {
      const urns = ['lag-1', 'lag-2', 'lag-3'].map((name) => datasetUrn(name));
      const before = await log.lag();
      await log.append(
        urns.map((urn) => proposalFor(urn)),
        { awaited: false },
      );
      expect(await log.lag()).toBe(before + urns.length);
      await consume(apply);
      await until(async () => (await log.lag()) === 0);
    });

    it('keeps what was appended for the next process', async () => {
      const urn = datasetUrn('kept');
      await log.append([proposalFor(urn)], { awaited: true });
      log = under.open();
      await consume(apply);
      await until(async () => (await versionOf(urn)) === 1);
    });

    it('keeps the order of one urn, awaited or not', async () => {
      await consume(apply);
      const urn = datasetUrn('order');
      const appends = Array.from({ length: 60 }, (_, at) =>
        log.append([proposalFor(urn, { value: `{"n":${String(at)}}` })], { awaited: at % 3 !== 0 }),
      );
      await Promise.all(appends);
      await until(async () => (await versionOf(urn)) === 60);
      expect(delivered.map(({ value }) => value)).toEqual(appends.map((_, at) => `{"n":${String(at)}}`));
    });

    it('leads an awaited proposal to its outcome, at once or by its position', async () => {
      await consume(apply);
      const urn = datasetUrn('awaited');
      const [appended] = await log.append([proposalFor(urn)], { awaited: true });
      const position = appended?.position ?? { partition: -1, offset: -1 };
      await until(async () => {
        const [outcome] = await under.store.readOutcomes([{ position, urn }]);
        return outcome?.kind === 'applied';
      });
      expect(appended?.outcome ?? { kind: 'written', seq: 1 }).toMatchObject({ kind: 'written', seq: 1 });
    });

    it('passes over nothing that another process has logged meanwhile', async () => {
      await consume(apply);
      const urn = datasetUrn('shared');
      const values = ['{"n":0}', '{"n":1}', '{"n":2}'];
      const [first = '', second = '', third = ''] = values;
      await log.append([proposalFor(urn, { value: first })], { awaited: true });
      await under.open().append([proposalFor(urn, { value: second })], { awaited: false });
      await log.append([proposalFor(urn, { value: third })], { awaited: true });
      await until(async () => (await versionOf(urn)) === values.length);
      expect(delivered.map(({ value }) => value)).toEqual(values);
    });

    it('numbers each partition without gap', async () => {
      await consume(apply);
      const urns = Array.from({ length: 50 }, (_, at) => datasetUrn(`n${String(at % 10)}`));
      const appended = (
        await Promise.all(urns.map((urn) => log.append([proposalFor(urn)], { awaited: true })))
      ).flat();
      const offsets = new Map<number, number[]>();
      for (const { position } of appended) {
        offsets.set(position.partition, [...(offsets.get(position.partition) ?? []), position.offset]);
      }
      for (const own of offsets.values()) {
        expect(own.sort((a, b) => a - b)).toEqual(own.map((_, at) => at + 1));
      }
    });

    it('delivers again what was answered with retry, and says that it is retrying', async () => {
      const urn = datasetUrn('again');
      let rejections = 2;
      await log.append([proposalFor(urn)], { awaited: false });
      await consume((batch) => {
        if (rejections-- <= 0) return apply(batch);
        return Promise.resolve({ kind: 'retry', cause: new UnavailableError('away') });
      });
      await until(() => subscription?.status().state === 'retrying');
      await until(async () => (await versionOf(urn)) === 1);
      await until(() => subscription?.status().state === 'running');
      expect(delivered).toHaveLength(1);
    });

    it('carries proposals of 2 MB and odd text unchanged', async () => {
      const urn = datasetUrn('großer,name');
      const value = JSON.stringify({ description: 'x"\\\u2028日本😀'.repeat(150_000) });
      await log.append([proposalFor(urn, { value })], { awaited: false });
      await consume(apply);
      await until(() => delivered.length === 1);
      expect(delivered[0]?.value === value).toBe(true);
    });
  });
}
