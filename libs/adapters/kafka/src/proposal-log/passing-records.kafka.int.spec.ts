import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  OffsetConflictError,
  partitionOf,
  proposalsIn,
  type Proposal,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import { splitBatch } from '@stratalog/concurrency';
import type { AspectStore, BatchHandler, LogRecord, Subscription } from '@stratalog/ports';
import { applyTo, datasetUrn, plainBatch, proposalFor, until } from '@stratalog/testkit';
import { LogSubmitter } from '@stratalog/writing';
import { KafkaFixture, PARTITIONS } from '../cluster/kafka.fixture';
import { KafkaLogRecovery } from './log-recovery';
import { KafkaProposalLog } from './proposal-log';

const HELD = 3;
const hot = datasetUrn('hot');
const partition = partitionOf(hot, PARTITIONS);
const [first = '', second = ''] = Array.from({ length: 40 }, (_, at) =>
  datasetUrn(`other${String(at)}`),
).filter((urn) => partitionOf(urn, PARTITIONS) === partition);

describe('Records of a urn that the writer leaves', () => {
  let fixture: KafkaFixture;
  let store: AspectStore;
  let log: KafkaProposalLog;
  let submitter: LogSubmitter;
  let recovery: KafkaLogRecovery;
  let writer: Subscription;
  let applied: Proposal[];
  let isHeld: boolean;

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    isHeld = true;
    applied = [];
    store = await fixture.store();
    const cluster = await fixture.cluster();
    const { offsets } = fixture;
    log = fixture.closing(new KafkaProposalLog(cluster, { offsets, maxRecords: 100 }));
    submitter = new LogSubmitter(log, { store, commitTimeoutMs: limitMs(60_000) });
    recovery = new KafkaLogRecovery(cluster, offsets);
    writer = await startWriter();
    await log.append(
      Array.from({ length: HELD }, (_, at) => proposalFor(hot, { value: `{"n":${String(at)}}` })),
    );
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const isOfHot = ({ content }: LogRecord<ProposalEntry>): boolean =>
    content.kind === 'decoded' && proposalsIn(content.value)[0].urn === hot;
  const startWriter = async (): Promise<Subscription> => {
    const apply = applyTo(store, (proposal) => applied.push(proposal));
    const leaveHot: BatchHandler<ProposalEntry, WriteOutcome> = async (batch) => {
      const { taken, rest } = splitBatch(batch, (record) => isHeld && isOfHot(record));
      if (taken.records.length === 0) {
        await store.readPartitionSequences();
        return { kind: 'done', results: [], rest };
      }
      const verdict = await apply(taken);
      return verdict.kind === 'retry' || rest.records.length === 0 ? verdict : { ...verdict, rest };
    };
    const subscription = log.consume(leaveHot);
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    return subscription;
  };
  const offset = async () => (await fixture.offsets.read()).get(partition);
  const readValues = (urn: string) => applied.filter((each) => each.urn === urn).map(({ value }) => value);
  const releaseHot = async (): Promise<void> => {
    isHeld = false;
    await until(async () => ((await offset())?.committedOffset ?? 0) >= HELD + 1);
    // The store has the commit before the writer hears of it.
    await until(() => readValues(hot).length >= HELD);
  };

  it('let those of other urns of the partition pass, whose callers get the outcome, and none of their own', async () => {
    expect(await submitter.submitAndWait(proposalFor(first))).toMatchObject({ kind: 'applied' });
    await log.append([proposalFor(hot, { value: '{"last":1}' })]);
    expect(await submitter.submitAndWait(proposalFor(second))).toMatchObject({ kind: 'applied' });
    expect(readValues(hot)).toEqual([]);
    expect(await offset()).toMatchObject({ committedOffset: 0, ahead: [HELD + 1, HELD + 3] });
    await releaseHot();
    await until(async () => (await offset())?.committedOffset === HELD + 3);
    await until(() => readValues(hot).length > HELD);
    expect(readValues(hot)).toEqual(['{"n":0}', '{"n":1}', '{"n":2}', '{"last":1}']);
    expect((await offset())?.ahead).toEqual([]);
  });

  it('let others pass that no later writer applies again', async () => {
    await submitter.submitAndWait(proposalFor(first));
    await writer.stop();
    await startWriter();
    await submitter.submitAndWait(proposalFor(second));
    await releaseHot();
    expect(applied.map(({ urn }) => urn)).toEqual([first, second, hot, hot, hot]);
  });

  it('let others pass that a writer which lost the partition meanwhile cannot apply again', async () => {
    await submitter.submitAndWait(proposalFor(first));
    const write = { urn: first, aspectName: 'datasetProperties', value: '{"n":9}' };
    for (const before of [[], [HELD + 2]]) {
      const ahead = { before, after: [HELD + 1] };
      const late = store.commit(plainBatch([{ partition, from: 0, to: 0, ahead }], [write]));
      await expect(late).rejects.toThrow(OffsetConflictError);
    }
    await releaseHot();
  });

  it('let others pass that are not applied again once an operator has adopted a log that lost its tail behind them', async () => {
    await submitter.submitAndWait(proposalFor(first));
    await writer.stop();
    const log = (await offset())?.source?.topicId ?? '';
    const stop = {
      partition,
      log,
      committedOffset: 0,
      reason: 'it lost its tail',
      sinceMs: 1,
      newFrom: HELD + 1,
    };
    await fixture.offsets.stop([stop]);
    expect((await recovery.adopt()).partitions).toMatchObject([{ partition, lost: 0, continuesAfter: 0 }]);
    expect(await offset()).toMatchObject({ committedOffset: 0, ahead: [HELD + 1] });
    await startWriter();
    await releaseHot();
    expect(applied.map(({ urn }) => urn)).toEqual([first, hot, hot, hot]);
  });
});
