import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  UnavailableError,
  partitionOf,
  type Proposal,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import { countLag } from '@stratalog/concurrency';
import type {
  AspectStore,
  BatchHandler,
  ProposalLog,
  ProposalSubmitter,
  SubmitOutcome,
  Subscription,
} from '@stratalog/ports';
import { applyTo } from './apply-to';
import { NO_WRITES, datasetUrn, plainBatch, proposalFor } from '../builders';
import { until } from '../until';

/** The two ports of one process on the same log. */
interface OpenedSubmitter {
  readonly log: ProposalLog;
  readonly submitter: ProposalSubmitter;
}

export interface ProposalSubmitterUnderTest {
  /** Opens both ports on the same storage, as a new process would. */
  readonly open: (commitTimeoutMs: number) => OpenedSubmitter;
  /** The store that commits the log's offsets. */
  readonly store: AspectStore;
}

/** Longer than any test runs. */
const LONG_MS = 600_000;

/** The contract of every {@link ProposalSubmitter}. */
export function proposalSubmitterContract(create: () => Promise<ProposalSubmitterUnderTest>): void {
  describe('ProposalSubmitter', () => {
    let under: ProposalSubmitterUnderTest;
    let log: ProposalLog;
    let submitter: ProposalSubmitter;
    let subscription: Subscription | undefined;
    let delivered: Proposal[];

    beforeEach(async () => {
      under = await create();
      ({ log, submitter } = under.open(LONG_MS));
      delivered = [];
    });
    afterEach(async () => {
      await subscription?.stop();
      subscription = undefined;
    });

    const consume = async (
      handler: BatchHandler<ProposalEntry, WriteOutcome> = applyTo(under.store, (proposal) =>
        delivered.push(proposal),
      ),
    ): Promise<void> => {
      subscription = log.consume(handler);
      await subscription.start();
    };
    const readEntity = (urn: string) => under.store.readEntity(urn);
    const appliedTo = async (urns: readonly string[]): Promise<SubmitOutcome> => {
      const { storeId, epoch, partitions } = under.store.identity;
      const seqs = new Map<number, number>();
      for (const urn of urns) {
        const partition = partitionOf(urn, partitions);
        seqs.set(partition, Math.max(seqs.get(partition) ?? 0, (await readEntity(urn))?.seq ?? 0));
      }
      return { kind: 'applied', position: { storeId, epoch, seqs } };
    };

    it('answers when the version is committed, with the last seq of its partition', async () => {
      await consume();
      const urn = datasetUrn('awaited');
      for (const version of [1, 2]) {
        const outcome = await submitter.submitAndWait(proposalFor(urn));
        expect((await readEntity(urn))?.aspects[0]?.version).toBe(version);
        expect(outcome).toEqual(await appliedTo([urn]));
      }
    });

    it('answers for a batch with the last seq of each of its partitions', async () => {
      await consume();
      const urns = Array.from({ length: 12 }, (_, at) => datasetUrn(`batch-${String(at)}`));
      const [first, ...others] = urns.map((urn) => proposalFor(urn));
      if (first === undefined) throw new Error('there is no proposal');
      const outcome = await submitter.submitAndWait({ proposals: [first, ...others] });
      expect(delivered.map(({ urn }) => urn)).toEqual(urns);
      expect(outcome).toEqual(await appliedTo(urns));
    });

    it('answers with the reason of a rejection', async () => {
      await consume(async ({ records, ranges }) => {
        const results = records.map((): WriteOutcome => ({ kind: 'rejected', reason: 'not good' }));
        const rejections = records.map(({ partition, offset }) => ({
          position: { partition, offset },
          reason: 'not good',
          content: { bytes: Buffer.from('x') },
        }));
        await under.store.commit({
          ...plainBatch(ranges, []),
          decide: () => ({ ...NO_WRITES, rejections, outcomes: results }),
        });
        return { kind: 'done', results };
      });
      const [one, two] = [datasetUrn('bad-1'), datasetUrn('bad-2')];
      const rejected = { kind: 'rejected', reason: 'not good' };
      expect(await submitter.submitAndWait(proposalFor(one))).toEqual(rejected);
      const batch = { proposals: [proposalFor(one), proposalFor(two)] } as const;
      expect(await submitter.submitAndWait(batch)).toEqual(rejected);
      expect(await readEntity(one)).toBeUndefined();
    });

    it('answers without an outcome once the entries are durable, with their positions', async () => {
      const urns = Array.from({ length: 20 }, (_, at) => datasetUrn(`n${String(at % 5)}`));
      const positions = await submitter.submit(urns.map((urn) => proposalFor(urn)));
      const { partitions } = under.store.identity;
      expect(positions.map(({ partition }) => partition)).toEqual(
        urns.map((urn) => partitionOf(urn, partitions)),
      );
      for (const partition of new Set(positions.map((each) => each.partition))) {
        const own = positions.filter((each) => each.partition === partition);
        expect(own.map(({ offset }) => offset)).toEqual(own.map((_, at) => at + 1));
      }
      expect(countLag(await log.progress())).toBe(urns.length);
      ({ log } = under.open(LONG_MS));
      await consume();
      await until(() => delivered.length === urns.length);
    });

    it('keeps the order of one urn, awaited or not', async () => {
      await consume();
      const urn = datasetUrn('order');
      const submits = Array.from({ length: 60 }, (_, at) => {
        const proposal = proposalFor(urn, { value: `{"n":${String(at)}}` });
        if (at % 3 !== 0) return submitter.submitAndWait(proposal);
        return at % 2 === 0 ? submitter.submit([proposal]) : log.append([proposal]);
      });
      await Promise.all(submits);
      await until(() => delivered.length === submits.length);
      expect(delivered.map(({ value }) => value)).toEqual(submits.map((_, at) => `{"n":${String(at)}}`));
    });

    it('passes over nothing that another process has logged meanwhile', async () => {
      await consume();
      const urn = datasetUrn('shared');
      const values = ['{"n":0}', '{"n":1}', '{"n":2}'];
      const [first, second, third] = values.map((value) => proposalFor(urn, { value }));
      if (first === undefined || second === undefined || third === undefined) throw new Error('too few');
      await submitter.submitAndWait(first);
      await under.open(LONG_MS).submitter.submit([second]);
      const outcome = await submitter.submitAndWait(third);
      expect(delivered.map(({ value }) => value)).toEqual(values);
      expect(outcome).toEqual(await appliedTo([urn]));
    });

    it('answers with the outcome of an entry that another process has applied', async () => {
      const urn = datasetUrn('elsewhere');
      const outcome = under.open(LONG_MS).submitter.submitAndWait(proposalFor(urn));
      await until(async () => countLag(await log.progress()) === 1);
      await consume();
      expect(await outcome).toEqual(await appliedTo([urn]));
      expect(delivered).toHaveLength(1);
    });

    it('gives up after the commit timeout, and the entry stays in the log', async () => {
      const urn = datasetUrn('late');
      const late = under.open(1_000).submitter.submitAndWait(proposalFor(urn));
      const { partitions } = under.store.identity;
      await expect(late).rejects.toBeInstanceOf(UnavailableError);
      await expect(late).rejects.toMatchObject({
        message: expect.stringMatching(
          /^The proposal is in the log \(partition \d+, offset 1\) and will be applied, but was not within \d+ ms$/,
        ),
        details: { partition: partitionOf(urn, partitions), offset: 1 },
      });
      expect(countLag(await log.progress())).toBe(1);
      await consume();
      await until(async () => (await readEntity(urn)) !== undefined);
    });
  });
}
