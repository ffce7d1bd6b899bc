import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  UnavailableError,
  partitionOf,
  proposalsIn,
  type Proposal,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import { countLag } from '@stratalog/concurrency';
import type { AspectStore, Batch, BatchHandler, Subscription, ProposalLog, Verdict } from '@stratalog/ports';
import { applyTo } from './apply-to';
import { datasetUrn, proposalFor } from '../builders';
import { until } from '../until';

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
    const apply: BatchHandler<ProposalEntry, WriteOutcome> = (batch) =>
      applyTo(under.store, (proposal) => delivered.push(proposal))(batch);
    const readVersion = async (urn: string): Promise<number | undefined> =>
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
      await log.append([{ proposals: [first, ...others] }]);
      await until(() => delivered.length === urns.length);
      expect(sizes).toEqual([urns.length]);
      expect(delivered.map(({ urn }) => urn)).toEqual(urns);
      for (const urn of urns) expect(await readVersion(urn)).toBe(1);
    });

    it('delivers what was appended before anyone consumed', async () => {
      const urn = datasetUrn('early');
      await log.append([proposalFor(urn)]);
      await consume(apply);
      await until(async () => (await readVersion(urn)) === 1);
      expect(delivered).toEqual([proposalFor(urn)]);
    });

    it('counts what is logged and not applied', async () => {
      const urns = ['lag-1', 'lag-2', 'lag-3'].map((name) => datasetUrn(name));
      const before = countLag(await log.progress());
      await log.append(urns.map((urn) => proposalFor(urn)));
      expect(countLag(await log.progress())).toBe(before + urns.length);
      await consume(apply);
      await until(async () => countLag(await log.progress()) === 0);
    });

    it('keeps what was appended for the next process', async () => {
      const urn = datasetUrn('kept');
      await log.append([proposalFor(urn)]);
      log = under.open();
      await consume(apply);
      await until(async () => (await readVersion(urn)) === 1);
    });

    it('keeps the order of one urn', async () => {
      await consume(apply);
      const urn = datasetUrn('order');
      const appends = Array.from({ length: 60 }, (_, at) =>
        log.append([proposalFor(urn, { value: `{"n":${String(at)}}` })]),
      );
      await Promise.all(appends);
      await until(async () => (await readVersion(urn)) === 60);
      expect(delivered.map(({ value }) => value)).toEqual(appends.map((_, at) => `{"n":${String(at)}}`));
    });

    it('keeps the order of the calls, whatever each call appends', async () => {
      await consume(apply);
      const urn = datasetUrn('order-of-calls');
      const calls = Array.from({ length: 8 }, (_, call): ProposalEntry[] => {
        // Encoding a large batch takes longer than a process may hold its event loop.
        const one = proposalFor(urn, { value: JSON.stringify({ call, text: '"'.repeat(50_000) }) });
        if (call === 4) return [{ proposals: [one, ...Array.from({ length: 15 }, () => one)] }];
        const small = ['first', 'second', 'third'].map((n) =>
          proposalFor(urn, { value: `{"${n}":${String(call)}}` }),
        );
        return call % 4 === 1 ? small.slice(0, 1) : small;
      });
      const appended = await Promise.all(calls.map((entries) => log.append(entries)));
      const offsets = appended.flat().map(({ offset }) => offset);
      expect(offsets).toEqual(offsets.map((_, at) => at + 1));
      const values = calls.flat().flatMap((entry) => proposalsIn(entry).map(({ value }) => value));
      await until(() => delivered.length === values.length);
      expect(delivered.map(({ value }) => value)).toEqual(values);
    });

    it('passes over nothing that another process has logged meanwhile', async () => {
      await consume(apply);
      const urn = datasetUrn('shared');
      const values = ['{"n":0}', '{"n":1}', '{"n":2}'];
      const [first = '', second = '', third = ''] = values;
      await log.append([proposalFor(urn, { value: first })]);
      await under.open().append([proposalFor(urn, { value: second })]);
      await log.append([proposalFor(urn, { value: third })]);
      await until(async () => (await readVersion(urn)) === values.length);
      expect(delivered.map(({ value }) => value)).toEqual(values);
    });

    it('numbers each partition without gap', async () => {
      await consume(apply);
      const urns = Array.from({ length: 50 }, (_, at) => datasetUrn(`n${String(at % 10)}`));
      const appended = (await Promise.all(urns.map((urn) => log.append([proposalFor(urn)])))).flat();
      const offsets = new Map<number, number[]>();
      for (const { partition, offset } of appended) {
        offsets.set(partition, [...(offsets.get(partition) ?? []), offset]);
      }
      for (const own of offsets.values()) {
        expect(own.sort((a, b) => a - b)).toEqual(own.map((_, at) => at + 1));
      }
    });

    it('delivers again what was answered with retry, and says that it is retrying', async () => {
      const urn = datasetUrn('again');
      let rejections = 2;
      await log.append([proposalFor(urn)]);
      await consume((batch) => {
        if (rejections-- <= 0) return apply(batch);
        return Promise.resolve({ kind: 'retry', cause: new UnavailableError('away') });
      });
      await until(() => subscription?.status().state === 'retrying');
      await until(async () => (await readVersion(urn)) === 1);
      await until(() => subscription?.status().state === 'running');
      expect(delivered).toHaveLength(1);
    });

    it('delivers again what the handler left, and the other partitions in between', async () => {
      const { partitions } = under.store.identity;
      const hot = datasetUrn('left');
      const hotPartition = partitionOf(hot, partitions);
      const others = Array.from({ length: 20 }, (_, at) => datasetUrn(`other-${String(at)}`));
      const other = others.find((urn) => partitionOf(urn, partitions) !== hotPartition) ?? hot;
      const values = Array.from({ length: 6 }, (_, at) => `{"n":${String(at)}}`);
      await log.append(values.map((value) => proposalFor(hot, { value })));
      await log.append([proposalFor(other)]);
      await consume((batch) => applyOneOf(hotPartition, batch, apply));
      await until(() => delivered.length === values.length + 1);
      const ofHot = delivered.filter(({ urn }) => urn === hot);
      expect(ofHot.map(({ value }) => value)).toEqual(values);
      expect(delivered.findIndex(({ urn }) => urn === other)).toBeLessThan(3);
      await until(async () => countLag(await log.progress()) === 0);
    });

    it('carries proposals of 2 MB and odd text unchanged', async () => {
      const urn = datasetUrn('großer,name');
      const value = JSON.stringify({ description: 'x"\\\u2028日本😀'.repeat(150_000) });
      await log.append([proposalFor(urn, { value })]);
      await consume(apply);
      await until(() => delivered.length === 1);
      expect(delivered[0]?.value === value).toBe(true);
    });
  });
}

/** Applies one record of a partition, and all of the others, and leaves the rest. */
async function applyOneOf(
  partition: number,
  { records, ranges }: Batch<ProposalEntry>,
  apply: BatchHandler<ProposalEntry, WriteOutcome>,
): Promise<Verdict<WriteOutcome, ProposalEntry>> {
  const [first, ...rest] = records.filter((record) => record.partition === partition);
  if (first === undefined || rest.length === 0) return apply({ records, ranges });
  const verdict = await apply({
    records: records.filter((record) => !rest.includes(record)),
    ranges: ranges.map((range) => (range.partition === partition ? { ...range, to: first.offset } : range)),
  });
  if (verdict.kind === 'retry') return verdict;
  const left = ranges.filter((range) => range.partition === partition);
  return {
    ...verdict,
    rest: { records: rest, ranges: left.map((range) => ({ ...range, from: first.offset })) },
  };
}
