import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ChangeRecord } from '@stratalog/model';
import {
  pause,
  PollLoop,
  type ChangeRelayStore,
  type Subscription,
  type SubscriptionStatus,
  type RelayLease,
  type RelayMove,
  type StoreIdentity,
} from '@stratalog/ports';
import { JSON_ENCODINGS, messagesOfChange, type ChangeEncodings } from './change-record-message';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TransactionalPublisher, type TopicMessage } from '../producer/transactional-publisher';
import { translateKafkaError } from '../cluster/translate-kafka-error';

export interface ChangeRelayOptions {
  readonly store: ChangeRelayStore;
  readonly identity: StoreIdentity;
  /** JSON unless others are given. */
  readonly encodings?: ChangeEncodings;
  readonly timing?: Partial<RelayTiming>;
}

export interface RelayTiming {
  /** A process that is silent for so long loses its partitions to the others. */
  readonly leaseMs: number;
}

interface RelayRound {
  readonly begunAt: number;
  readonly wasBusy: boolean;
}

const LEASE_MS = 10_000;
/** Without a ring the store is asked this often. */
const POLL_MS = 50;
/**
 * Transactions begin so far apart at least. One costs the broker and us much the same for one change and for many, so that
 * under load a pause makes fewer and larger ones.
 */
const PACE_MS = 100;
const RETRY_DELAY_MS = 250;
const MAX_CHANGES = 2_000;

/**
 * Publishes the store's changes to their topic, per partition in commit order, and points to theirs besides. Several processes share the partitions.
 *
 * One loop does it: keep the leases, read what follows what is published, publish it in one transaction, move the leases. A crash
 * between the last two publishes some changes twice; readers drop what they have seen. Each process has a transactional id of
 * its own. Of a process that is silent for too long the store hands over the partitions and remembers its name, until somebody
 * has opened its id: then Kafka rejects what it may still have wanted to publish under its former leases. For the same reason the
 * leases are always asked for after our own id was opened, never before.
 */
export class ChangeRelay implements Subscription {
  private readonly owner = `${hostname()}-${String(process.pid)}-${randomUUID()}`;
  private readonly leaseMs: number;
  private publisher: TransactionalPublisher | undefined;
  private leases: readonly RelayLease[] = [];
  private leasedAt = -Infinity;
  private readonly rounds = new PollLoop<RelayRound>({
    round: () => this.round(),
    untilNext: (round, signal) => this.untilNext(round, signal),
    retryDelayMs: RETRY_DELAY_MS,
    onFailure: () => this.forgetPublisher(),
  });

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: ChangeRelayOptions,
  ) {
    this.leaseMs = options.timing?.leaseMs ?? LEASE_MS;
  }

  /** Partitions that are this process's to publish. */
  get partitions(): readonly number[] {
    return this.leases.map(({ partition }) => partition);
  }

  start(): Promise<void> {
    return this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
    await this.forgetPublisher();
    this.leases = [];
    // Should the store be away, the leases run out.
    await this.options.store.release(this.owner).catch(() => undefined);
  }

  status(): SubscriptionStatus {
    return this.rounds.status();
  }

  private async round(): Promise<RelayRound> {
    const begunAt = performance.now();
    try {
      const publisher = await this.openPublisher();
      await this.keepLeases();
      return { begunAt, wasBusy: await this.publishOnce(publisher) };
    } catch (error) {
      throw translateKafkaError(error);
    }
  }

  private untilNext({ begunAt, wasBusy }: RelayRound, signal: AbortSignal): Promise<void> {
    return wasBusy
      ? pause(PACE_MS - (performance.now() - begunAt), signal)
      : this.options.store.changed(POLL_MS, signal);
  }

  private async openPublisher(): Promise<TransactionalPublisher> {
    if (this.publisher !== undefined) return this.publisher;
    this.leasedAt = -Infinity;
    this.publisher = await this.openId(this.owner);
    return this.publisher;
  }

  private openId(owner: string): Promise<TransactionalPublisher> {
    const { client, prefix } = this.cluster;
    return TransactionalPublisher.open(client, relayId(prefix, owner));
  }

  private async forgetPublisher(): Promise<void> {
    const { publisher } = this;
    this.publisher = undefined;
    await publisher?.close();
  }

  private async keepLeases(): Promise<void> {
    if (performance.now() - this.leasedAt < this.leaseMs / 4) return;
    const askedAt = performance.now();
    const { leases, unfenced } = await this.options.store.lease(this.owner, this.leaseMs);
    this.leases = leases;
    for (const silent of unfenced) {
      await (await this.openId(silent)).close();
      await this.options.store.fenced(silent);
    }
    this.leasedAt = askedAt;
  }

  /** Publishes what is there; answers whether anything was. */
  private async publishOnce(publisher: TransactionalPublisher): Promise<boolean> {
    if (this.leases.length === 0) return false;
    const { store } = this.options;
    const after = new Map(this.leases.map(({ partition, published }) => [partition, published]));
    const changes = await store.readChanges(after, MAX_CHANGES);
    if (changes.length === 0) return false;
    await publisher.publish(await this.toMessages(changes));
    await this.advance(changes);
    return true;
  }

  private async toMessages(changes: readonly ChangeRecord[]): Promise<readonly TopicMessage[]> {
    const { identity, encodings = JSON_ENCODINGS } = this.options;
    const { changes: topic, timeseriesChanges } = this.cluster.topics;
    const messages = await Promise.all(
      changes.map((change) => messagesOfChange(change, identity, encodings)),
    );
    return messages.flatMap(({ change, timeseriesValue }) => [
      { topic, message: change },
      ...(timeseriesValue === undefined ? [] : [{ topic: timeseriesChanges, message: timeseriesValue }]),
    ]);
  }

  private async advance(changes: readonly ChangeRecord[]): Promise<void> {
    const ends = new Map(changes.map(({ partition, seq }) => [partition, seq]));
    const moves = this.leases.flatMap((lease): RelayMove[] => {
      const to = ends.get(lease.partition);
      return to === undefined ? [] : [{ ...lease, to }];
    });
    const moved = await this.options.store.advance(this.owner, moves);
    // A lease that could not be moved is no longer ours, or not as we knew it.
    if (moves.some(({ partition }) => !moved.has(partition))) this.leasedAt = -Infinity;
    this.leases = this.leases.map((lease) =>
      moved.has(lease.partition)
        ? { ...lease, published: ends.get(lease.partition) ?? lease.published }
        : lease,
    );
  }
}

/** The transactional id that a process publishes under. */
export function relayId(prefix: string, owner: string): string {
  return `${prefix}stratalog-relay-${owner}`;
}
