import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { partitionOf, type Proposal } from '@stratalog/domain';
import type { AspectStore, LogOffset, Subscription } from '@stratalog/ports';
import { LogSubmitter } from '@stratalog/writing';
import { applyTo, datasetUrn, proposalFor, until } from '@stratalog/testkit';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { KafkaFixture, PARTITIONS } from '../cluster/kafka.fixture';
import { KafkaProposalLog } from './proposal-log';
import { KafkaLogRecovery } from './log-recovery';

const COMMIT_TIMEOUT_MS = 600_000;
const urn = datasetUrn('moved');
const partition = partitionOf(urn, PARTITIONS);

describe('A proposal log that moved', () => {
  let fixture: KafkaFixture;
  let store: AspectStore;
  let cluster: KafkaCluster;
  let log: KafkaProposalLog;
  let submitter: LogSubmitter;
  let recovery: KafkaLogRecovery;
  let applied: Proposal[];

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    store = await fixture.store();
    cluster = await fixture.cluster();
    log = openLog();
    submitter = new LogSubmitter(log, { store, commitTimeoutMs: COMMIT_TIMEOUT_MS });
    recovery = new KafkaLogRecovery(cluster, fixture.offsets);
    applied = [];
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const openLog = (): KafkaProposalLog =>
    fixture.closing(
      new KafkaProposalLog(cluster, {
        offsets: fixture.offsets,
        maxRecords: 100,
        timing: { auditMs: 200 },
      }),
    );
  const consume = async (): Promise<Subscription> => {
    const subscription = openLog().consume(applyTo(store, (proposal) => applied.push(proposal)));
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    return subscription;
  };
  const write = (value: string) => submitter.submitAndWait(proposalFor(urn, { value }));
  const stored = async (): Promise<LogOffset | undefined> => (await fixture.offsets.read()).get(partition);
  const latest = async (): Promise<string | undefined> => (await store.readEntity(urn))?.aspects[0]?.value;
  const readReason = (subscription: Subscription): string => {
    const status = subscription.status();
    return 'reason' in status ? status.reason : '';
  };
  const produce = async (count: number): Promise<void> => {
    const producer = cluster.client.producer();
    await producer.connect();
    const messages = Array.from({ length: count }, (_, at) => ({
      partition,
      value: `foreign ${String(at)}`,
    }));
    await producer.send({ topic: cluster.topics.proposals, messages });
    await producer.disconnect();
  };
  const createAgain = async (): Promise<void> => {
    const admin = await fixture.admin();
    const topic = cluster.topics.proposals;
    await admin.deleteTopics({ topics: [topic] });
    await until(async () => !(await admin.listTopics()).includes(topic));
    await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS }], waitForLeaders: false });
    await until(() => admin.fetchTopicOffsets(topic).then(Boolean, () => false));
  };
  /** Makes the state that a store finds when the broker comes back with a copy of its data that is `records` old. */
  const advanceStore = (records: number): Promise<unknown> =>
    fixture.database.use((client) =>
      client.query(
        `update log_partition set committed_offset = committed_offset + $2, end_offset = end_offset + $2 where partition = $1`,
        [partition, records],
      ),
    );

  it('takes no write after its topic was created again, although new records pass the old offset', async () => {
    const writer = await consume();
    await write('{"n":1}');
    await write('{"n":2}');
    await createAgain();
    await until(() => readReason(writer).includes('it was created again'));
    await produce(5);
    const moved =
      /^Writes to partition \d of t.* are not taken, because the log moved: .* it was created again/;
    await expect(write('{"n":3}')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(moved),
    });
    await expect(log.append([proposalFor(urn)])).rejects.toMatchObject({
      message: expect.stringMatching(moved),
    });
    expect(applied).toHaveLength(2);
    await writer.stop();
    const again = await consume();
    await until(() => again.status().state === 'retrying');
    expect(readReason(again)).toContain('"stratalog log adopt"');
    expect(await latest()).toBe('{"n":2}');
  });

  it('is found by the first write, also without a writer, and the write is not acknowledged', async () => {
    const writer = await consume();
    await write('{"n":1}');
    await writer.stop();
    await createAgain();
    // More records than the store has applied: the offset alone would not tell.
    await produce(5);
    await expect(write('{"n":2}')).rejects.toMatchObject({
      message: expect.stringContaining('it was created again'),
    });
    expect((await stored())?.stop?.reason).toContain('it was created again');
    await expect(openLog().append([proposalFor(urn)])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('takes no offset twice: a write at one that was applied ahead of others is not acknowledged', async () => {
    const writer = await consume();
    await write('{"n":1}');
    await writer.stop();
    await fixture.database.use((client) =>
      client.query('update log_partition set ahead = array[committed_offset + 1] where partition = $1', [
        partition,
      ]),
    );
    await expect(write('{"n":2}')).rejects.toMatchObject({ code: 'unavailable' });
    expect((await stored())?.stop?.reason).toContain('it has lost some');
  });

  it('takes no offset twice: a write at one that was applied before it is not acknowledged', async () => {
    const writer = await consume();
    await write('{"n":1}');
    await writer.stop();
    await advanceStore(3);
    await expect(write('{"n":2}')).rejects.toMatchObject({
      message: expect.stringMatching(
        /because the log moved: the store has applied 4 records and the topic had 4, but it ended at 1/,
      ),
    });
    expect((await stored())?.stop).toMatchObject({ newFrom: 1 });
    // New records pass the old offset, and the log stays stopped.
    await produce(5);
    const again = await consume();
    await until(() => again.status().state === 'retrying');
    expect(readReason(again)).toContain('but it ended at 1');
    expect(await latest()).toBe('{"n":1}');
  });

  it('answers writes that wait when it is found, instead of acknowledging them', async () => {
    const writer = await consume();
    await write('{"n":1}');
    await writer.stop();
    const waiting = write('{"n":2}');
    const settled = expect(waiting).rejects.toMatchObject({
      message: expect.stringContaining('The proposal is not applied: the writer has stopped before it'),
    });
    await until(
      async () => (await cluster.readWatermarks(cluster.topics.proposals)).get(partition)?.high === 2,
    );
    const { committedOffset, source } = (await stored()) ?? { committedOffset: 0 };
    await fixture.offsets.stop([
      { partition, log: source?.topicId ?? '', committedOffset, reason: 'it moved', sinceMs: 1 },
    ]);
    await settled;
  });

  it('says what adopting it loses, and then applies the present log from there', async () => {
    const writer = await consume();
    await write('{"n":1}');
    await writer.stop();
    await log.append([proposalFor(urn), proposalFor(urn)]);
    await fixture.offsets.noteEnds(
      (await cluster.raw.describeTopic(cluster.topics.proposals)).id,
      new Map([[partition, 3]]),
    );
    await expect(recovery.planAdoption()).rejects.toMatchObject({ code: 'invalid-request' });
    await createAgain();
    await produce(1);
    await expect(write('{"n":2}')).rejects.toMatchObject({ code: 'unavailable' });

    const plan = await recovery.planAdoption();
    expect(plan.topic).toBe(cluster.topics.proposals);
    expect(plan.partitions.find((each) => each.partition === partition)).toEqual({
      partition,
      reason: expect.stringContaining('it was created again'),
      committedOffset: 1,
      lost: 2,
      continuesAfter: 0,
    });
    await expect(recovery.resume()).rejects.toMatchObject({
      message: expect.stringContaining('is not as the store knows it'),
    });
    expect(await recovery.adopt()).toEqual(plan);
    await consume();
    // The write that was answered 503 is in the adopted log.
    await until(async () => (await latest()) === '{"n":2}');
    await write('{"n":3}');
    expect(await latest()).toBe('{"n":3}');
    await expect(recovery.planAdoption()).rejects.toMatchObject({ code: 'invalid-request' });
  });

  it('keeps dead letters apart that had the same offset before and after an adoption of the same topic', async () => {
    const writer = await consume();
    await produce(2);
    await until(async () => (await stored())?.committedOffset === 2);
    await writer.stop();
    await advanceStore(1);
    await expect(write('{"n":1}')).rejects.toMatchObject({ code: 'unavailable' });
    const { partitions } = await recovery.adopt();
    expect(partitions).toMatchObject([{ partition, committedOffset: 3, continuesAfter: 2, lost: 0 }]);
    expect((await stored())?.source?.topicId).toMatch(/^[0-9a-f]{32}\.2$/);
    await consume();
    await until(async () => (await latest()) === '{"n":1}');
    await produce(1);
    await until(async () => (await stored())?.committedOffset === 4);
  });

  it('resumes when the former log was put back, and not when it only grew past the old offset', async () => {
    const writer = await consume();
    await write('{"n":1}');
    await writer.stop();
    await advanceStore(2);
    await expect(write('{"n":2}')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(recovery.resume()).rejects.toMatchObject({
      message: expect.stringContaining('it ended at 2'),
    });
    await produce(3);
    await expect(recovery.resume()).rejects.toMatchObject({
      message: expect.stringContaining('its record at offset 1 was written after the log had lost'),
    });
    // The same records, but older than the stop: the log as it was before.
    await fixture.database.use((client) =>
      client.query('update log_partition set stop_ms = $1 where stop_reason is not null', [
        Date.now() + 60_000,
      ]),
    );
    expect(await recovery.resume()).toEqual([partition]);
    const subscription = await consume();
    await write('{"n":3}');
    expect([await latest(), subscription.status().state]).toEqual(['{"n":3}', 'running']);
  });
});
