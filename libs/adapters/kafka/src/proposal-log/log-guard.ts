import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError, type StratalogError } from '@stratalog/domain';
import { pause } from '@stratalog/concurrency';
import type { AwaitedPosition, Clock, LogOffset, LogOffsets } from '@stratalog/ports';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TopicIdentity } from '../cluster/topic-identity';
import type { TopicState } from '../cluster/topic-state';
import type { OutgoingRecord, SentPosition, RequestGuard } from '../producer/record-sender';
import { REMEDY, judgePartition, toLostTail, parseTopicId } from './judge-partition';

/** The state of the log before a request. */
export interface LogView {
  readonly offsets: ReadonlyMap<number, LogOffset>;
  /** False when the store did not answer in time: the offsets are those of an earlier request. */
  readonly isFresh: boolean;
  /** Absent when no broker told. */
  readonly topic: TopicState | undefined;
  /** Epoch ms. */
  readonly atMs: number;
}

export interface LogGuardOptions {
  readonly offsets: LogOffsets;
  readonly clock: Pick<Clock, 'now'>;
}

/** While the store is away, asynchronous writes go on, so requests wait this long for it. */
const STORE_WAIT_MS = 1_000;
/**
 * A broker cannot lose records and come back within this time. A request or an outcome that took longer counts only if the partition has
 * had the same leader throughout.
 */
const SAME_LEADER_MS = 1_000;
const DESCRIBE_RETRIES = 15;
const DESCRIBE_RETRY_MS = 200;

/**
 * Sees to it that no record counts as logged in another log than the one that the store applies.
 *
 * Kafka does not say which topic a record went to, and gives the offsets of lost records away again. So before each request the guard
 * reads up to where the store has applied the log, and after it the topic's id: the id is that of the log when the record was taken
 * there, since no id returns. An offset that was applied before the request shows that the log lost its tail.
 */
export class LogGuard implements RequestGuard<LogView> {
  private readonly identity: TopicIdentity;
  private known: ReadonlyMap<number, LogOffset> | undefined;
  private reading: Promise<ReadonlyMap<number, LogOffset>> | undefined;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: LogGuardOptions,
  ) {
    this.identity = new TopicIdentity(cluster.raw, cluster.topics.proposals);
  }

  async look(): Promise<LogView> {
    const atMs = this.options.clock.now();
    const [read, topic] = await Promise.all([
      this.readOffsets(),
      this.identity.state().catch(() => undefined),
    ]);
    return { ...read, topic, atMs };
  }

  reject({ offsets }: LogView, { partition }: OutgoingRecord): StratalogError | undefined {
    const { topic, topicId } = this.toNames(offsets.get(partition));
    const offset = offsets.get(partition);
    if (offset?.stop !== undefined) return notTaken(topic, partition, offset.stop.reason);
    if (topicId !== '' || offset === undefined || offset.committedOffset === 0) return undefined;
    const judgement = judgePartition({ topic, topicId, watermarks: { low: 0, high: 0 }, offset });
    return judgement.kind === 'unusable' ? notTaken(topic, partition, judgement.reason) : undefined;
  }

  /**
   * Checks that a record is in the log of the store, at an offset that is its own.
   *
   * **Errors**: `UnavailableError` that names the log when it moved; then its partition is stopped in the store.
   */
  async confirm(position: SentPosition<LogView>, isAwaited: boolean): Promise<AwaitedPosition> {
    const { partition, offset, view, tookMs } = position;
    const ackedAt = performance.now();
    const now = await this.describe();
    const known = view.offsets.get(partition);
    const { topic, topicId: log } = this.toNames(known);
    if (known !== undefined && log !== '') {
      if (parseTopicId(log) !== now.id) await this.rejectMoved(partition, known, now.id);
      if (offset < known.committedOffset || known.ahead.includes(offset + 1))
        await this.rejectReused(position, known);
    }
    if (isAwaited && !view.isFresh)
      throw unsure(topic, partition, 'the store did not answer before it was sent');
    const leaderEpoch = view.topic?.leaderEpochs.get(partition);
    if (isAwaited && tookMs > SAME_LEADER_MS && now.leaderEpochs.get(partition) !== leaderEpoch)
      throw unsure(topic, partition, 'the partition got another leader while it was sent');
    const confirmed = { log: log === '' ? now.id : log, partition, offset: offset + 1 };
    const epoch = now.leaderEpochs.get(partition);
    return {
      ...confirmed,
      confirm: () => this.confirmLeader({ topic, partition, id: now.id, epoch }, ackedAt),
    };
  }

  private async confirmLeader(
    {
      topic,
      partition,
      id,
      epoch,
    }: { topic: string; partition: number; id: string; epoch: number | undefined },
    ackedAt: number,
  ): Promise<void> {
    if (performance.now() - ackedAt < SAME_LEADER_MS) return;
    const now = await this.describe();
    if (now.id !== id || now.leaderEpochs.get(partition) !== epoch)
      throw unsure(topic, partition, 'the partition got another leader before it was applied');
  }

  private async rejectMoved(partition: number, offset: LogOffset, topicId: string): Promise<never> {
    const { proposals: topic } = this.cluster.topics;
    const watermarks = (await this.cluster.readWatermarks(topic)).get(partition);
    const judgement = judgePartition({ topic, topicId, watermarks, offset });
    if (judgement.kind === 'moved')
      await this.options.offsets.stop([{ ...judgement, partition, sinceMs: this.options.clock.now() }]);
    throw notTaken(topic, partition, judgement.kind === 'whole' ? 'the log moved' : judgement.reason);
  }

  private async rejectReused(
    { partition, offset: newFrom, view }: SentPosition<LogView>,
    known: LogOffset,
  ): Promise<never> {
    const { topic, topicId: log } = this.toNames(known);
    const { committedOffset } = known;
    const stop = { ...toLostTail(known, newFrom), partition, log, committedOffset, sinceMs: view.atMs };
    await this.options.offsets.stop([stop]);
    throw notTaken(topic, partition, stop.reason);
  }

  private toNames(offset: LogOffset | undefined): { readonly topic: string; readonly topicId: string } {
    return offset?.source ?? { topic: this.cluster.topics.proposals, topicId: '' };
  }

  /** Requests share a read that takes long, and do not wait for it again. */
  private async readOffsets(): Promise<Pick<LogView, 'offsets' | 'isFresh'>> {
    const isPending = this.reading !== undefined;
    const reading = (this.reading ??= this.options.offsets.read().finally(() => {
      this.reading = undefined;
    }));
    const giveUp = new AbortController();
    try {
      const waitMs = isPending ? 0 : STORE_WAIT_MS;
      const late = this.known === undefined ? undefined : pause(waitMs, giveUp.signal);
      const read = await (late === undefined ? reading : Promise.race([reading, late]));
      if (read !== undefined && !isPending) return { offsets: (this.known = read), isFresh: true };
    } catch (error) {
      if (this.known === undefined) throw error;
    } finally {
      giveUp.abort();
    }
    return { offsets: this.known ?? new Map<number, LogOffset>(), isFresh: false };
  }

  /** Asks again while brokers come and go: the record is in the log, and the caller waits for its outcome. */
  private async describe(): Promise<TopicState> {
    for (let left = DESCRIBE_RETRIES; ; left--) {
      try {
        return await this.identity.state();
      } catch (error) {
        if (left === 0) throw error;
        await delay(DESCRIBE_RETRY_MS);
      }
    }
  }
}

function notTaken(topic: string, partition: number, reason: string): UnavailableError {
  return new UnavailableError(
    `Writes to partition ${String(partition)} of ${topic} are not taken, because the log moved: ${reason}. ${REMEDY}`,
  );
}

function unsure(topic: string, partition: number, why: string): UnavailableError {
  return new UnavailableError(
    `The proposal is in partition ${String(partition)} of ${topic}, but ${why}; it may be applied yet, repeat it to be sure`,
  );
}
