import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { TooLargeError, type ChangeRecord } from '@stratalog/domain';
import { pause, PollLoop } from '@stratalog/concurrency';
import type {
  ChangeRelayStore,
  Subscription,
  SubscriptionStatus,
  RelayLease,
  RelayMove,
  StoreIdentity,
} from '@stratalog/ports';
import { JSON_ENCODINGS, toChangeMessages, type ChangeEncodings } from './change-record-message';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { MAX_VALUE_BYTES } from '../cluster/message-size';
import type { TopicWatermarks } from '../cluster/raw-requests';
import { TransactionalPublisher, type TopicMessage } from '../producer/transactional-publisher';
import { translateKafkaError } from '../cluster/translate-kafka-error';
import { verifyLeases } from './verify-leases';

export interface ChangeRelayOptions {
  readonly store: ChangeRelayStore;
  /** Reads the identity of the store; its epoch comes with the leases. */
  readonly identity: () => StoreIdentity;
  /** Default: JSON. */
  readonly encodings?: ChangeEncodings;
  readonly timing?: Partial<RelayTiming>;
}

interface RelayTiming {
  /** A process that does not renew its leases for this long loses its partitions to the others. */
  readonly leaseMs: number;
}

interface RelayRound {
  readonly startedAt: number;
  readonly wasBusy: boolean;
}

const LEASE_MS = 10_000;
/** Poll interval without a notification. */
const POLL_MS = 50;
/**
 * Minimum interval between the starts of transactions. A transaction costs the broker and this process about the same
 * for one change and for many, so under load the interval makes fewer and larger ones.
 */
const LINGER_MS = 100;
const RETRY_DELAY_MS = 250;
const MAX_CHANGES = 2_000;
/** Interval between checks whether the topic has become shorter. */
const AUDIT_MS = 5_000;

/**
 * Publishes the store's changes to their topic, per partition in commit order, and timeseries values also to theirs.
 * Several processes share the partitions.
 *
 * One loop renews the leases, reads the changes after the published ones, publishes them in one transaction and moves
 * the leases. A crash between the last two steps publishes some changes twice; readers drop repeats.
 *
 * Each process has its own transactional id. When a process is silent for too long, the store reassigns its partitions
 * and lists it as unfenced until another process opens its id. From then on Kafka rejects late messages of that
 * process. For the same reason a process opens its own id before it requests leases, never after.
 */
export class ChangeRelay implements Subscription {
  private readonly owner = `${hostname()}-${String(process.pid)}-${randomUUID()}`;
  private readonly leaseMs: number;
  private publisher: TransactionalPublisher | undefined;
  /** Leases whose partitions of the topic were compared with the store. */
  private leases: readonly RelayLease[] = [];
  private storeEpoch = 0;
  private ends: ReadonlyMap<number, TopicWatermarks> = new Map();
  private auditedAt = -Infinity;
  private leasedAt = -Infinity;
  /** Largest value of a record that the topics take; larger ones are left out. */
  private maxValueBytes = MAX_VALUE_BYTES;
  /** Less than a topic that rejected a record says: brokers may have limits of their own. */
  private assumedBytes = MAX_VALUE_BYTES;
  private readonly loop = new PollLoop<RelayRound>({
    round: () => this.round(),
    untilNext: (round, signal) => this.untilNext(round, signal),
    retryDelayMs: RETRY_DELAY_MS,
    onFailure: () => this.closePublisher(),
  });

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: ChangeRelayOptions,
  ) {
    this.leaseMs = options.timing?.leaseMs ?? LEASE_MS;
  }

  /** Partitions that this process publishes. */
  get partitions(): readonly number[] {
    return this.leases.map(({ partition }) => partition);
  }

  start(): Promise<void> {
    return this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.closePublisher();
    this.leases = [];
    // If the store is unavailable, the leases expire.
    await this.options.store.release(this.owner).catch(() => undefined);
  }

  status(): SubscriptionStatus {
    return this.loop.status();
  }

  private async round(): Promise<RelayRound> {
    const startedAt = performance.now();
    try {
      const publisher = await this.openPublisher();
      await this.audit();
      await this.keepLeases();
      return { startedAt, wasBusy: await this.publishOnce(publisher) };
    } catch (error) {
      const translated = translateKafkaError(error);
      if (translated instanceof TooLargeError) this.assumedBytes = Math.floor(this.maxValueBytes / 2);
      throw translated;
    }
  }

  private untilNext({ startedAt, wasBusy }: RelayRound, signal: AbortSignal): Promise<void> {
    return wasBusy
      ? pause(LINGER_MS - (performance.now() - startedAt), signal)
      : this.options.store.changed(POLL_MS, signal);
  }

  private async openPublisher(): Promise<TransactionalPublisher> {
    if (this.publisher !== undefined) return this.publisher;
    this.leasedAt = -Infinity;
    // A broker that comes back may have lost what this process has published.
    this.leases = [];
    const { changes, timeseriesChanges } = this.cluster.topics;
    const limit = await this.cluster.readMaxValueBytes([changes, timeseriesChanges]);
    this.maxValueBytes = Math.min(limit ?? MAX_VALUE_BYTES, this.assumedBytes);
    this.publisher = await this.openId(this.owner);
    return this.publisher;
  }

  private openId(owner: string): Promise<TransactionalPublisher> {
    const { client, prefix } = this.cluster;
    return TransactionalPublisher.open(client, relayId(prefix, owner));
  }

  private async closePublisher(): Promise<void> {
    const { publisher } = this;
    this.publisher = undefined;
    await publisher?.close();
  }

  private async keepLeases(): Promise<void> {
    if (performance.now() - this.leasedAt < this.leaseMs / 4) return;
    const requestedAt = performance.now();
    const { leases, unfenced, storeEpoch } = await this.options.store.lease(this.owner, this.leaseMs);
    const verified = storeEpoch === this.storeEpoch ? this.leases : [];
    this.leases = [];
    for (const silent of unfenced) {
      await (await this.openId(silent)).close();
      await this.options.store.fenced(silent);
    }
    this.storeEpoch = storeEpoch;
    this.leases = await this.verify(leases, verified);
    this.leasedAt = requestedAt;
  }

  /** A lease that is as this process left it was verified; any other may be one of a store that was put back, or of another process. */
  private async verify(
    leases: readonly RelayLease[],
    verified: readonly RelayLease[],
  ): Promise<readonly RelayLease[]> {
    const isVerified = ({ partition, epoch, published }: RelayLease): boolean =>
      verified.some(
        (each) => each.partition === partition && each.epoch === epoch && each.published === published,
      );
    const others = leases.filter((lease) => !isVerified(lease));
    if (others.length === 0) return leases;
    const { store } = this.options;
    const { cluster, owner } = this;
    const checked = await verifyLeases(others, { cluster, store, owner, identity: this.identity() });
    return [...leases.filter(isVerified), ...checked];
  }

  /** Finds out that the topic has become shorter while nothing was published, and has the leases verified again. */
  private async audit(): Promise<void> {
    if (performance.now() - this.auditedAt < AUDIT_MS) return;
    const ends = await this.cluster.readWatermarks(this.cluster.topics.changes);
    const isShorter = [...this.ends].some(([partition, { high }]) => (ends.get(partition)?.high ?? 0) < high);
    this.ends = ends;
    this.auditedAt = performance.now();
    if (!isShorter) return;
    this.leases = [];
    this.leasedAt = -Infinity;
  }

  private identity(): StoreIdentity {
    return { ...this.options.identity(), epoch: this.storeEpoch };
  }

  /** Publishes the pending changes; returns whether there were any. */
  private async publishOnce(publisher: TransactionalPublisher): Promise<boolean> {
    if (this.leases.length === 0) return false;
    const { store } = this.options;
    const after = new Map(this.leases.map(({ partition, published }) => [partition, published]));
    const changes = await store.readChanges(after, MAX_CHANGES);
    if (changes.length === 0) return false;
    await publisher.publish(await this.toMessages(changes), this.maxValueBytes);
    await this.advance(changes);
    return true;
  }

  private async toMessages(changes: readonly ChangeRecord[]): Promise<readonly TopicMessage[]> {
    const encodings = { ...(this.options.encodings ?? JSON_ENCODINGS), maxValueBytes: this.maxValueBytes };
    const identity = this.identity();
    const { changes: topic, timeseriesChanges } = this.cluster.topics;
    const messages = await Promise.all(
      changes.map((change) => toChangeMessages(change, identity, encodings)),
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
    // A lease that did not move belongs to another owner or changed otherwise, so the next round requests the leases
    // again.
    if (moves.some(({ partition }) => !moved.has(partition))) this.leasedAt = -Infinity;
    this.leases = this.leases.map((lease) =>
      moved.has(lease.partition)
        ? { ...lease, published: ends.get(lease.partition) ?? lease.published }
        : lease,
    );
  }
}

/** Builds the transactional id under which a process publishes. */
export function relayId(prefix: string, owner: string): string {
  return `${prefix}stratalog-relay-${owner}`;
}
