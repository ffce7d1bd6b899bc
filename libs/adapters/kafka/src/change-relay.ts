import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeRecord } from '@stratalog/model';
import type {
  ChangeRelayStore,
  Consumption,
  ConsumptionStatus,
  RelayLease,
  RelayMove,
  StoreIdentity,
} from '@stratalog/ports';
import { jsonChange, messageOfChange, type ChangeEncoding } from './change-record-message';
import type { KafkaCluster } from './kafka-cluster';
import { PartitionPublisher } from './partition-publisher';
import { isFenced, translateKafkaError } from './translate-kafka-error';

export interface ChangeRelayOptions {
  readonly store: ChangeRelayStore;
  readonly identity: StoreIdentity;
  /** JSON unless another is given. */
  readonly encode?: ChangeEncoding;
  readonly timing?: Partial<RelayTiming>;
}

export interface RelayTiming {
  /** A process that is silent for so long loses its partitions to the others. */
  readonly leaseMs: number;
}

const LEASE_MS = 10_000;
/** Without a ring the store is asked this often. */
const POLL_MS = 50;
const RETRY_DELAY_MS = 250;
const MAX_CHANGES = 1_000;

/**
 * Publishes the store's changes to their topic, per partition in commit order. Several processes share the partitions.
 *
 * One loop does it: keep the leases, read what follows what is published, publish it in one transaction for each partition, move
 * the leases. A crash between the last two publishes some changes twice; readers drop what they have seen. A relay that slept
 * while its lease went to another is refused by Kafka, once that other one has begun: each partition has a transactional id
 * of its own, and who initialises it last is the only one who can write under it.
 */
export class ChangeRelay implements Consumption {
  private readonly owner = `${hostname()}-${String(process.pid)}-${randomUUID()}`;
  private readonly publishers = new Map<number, PartitionPublisher>();
  private readonly leaseMs: number;
  private leases: readonly RelayLease[] = [];
  private leasedAt = -Infinity;
  private current: ConsumptionStatus = { state: 'stopped' };
  private stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

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
    this.stopping = new AbortController();
    this.current = { state: 'running' };
    this.running = this.loop(this.stopping.signal);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    for (const partition of [...this.publishers.keys()]) await this.forget(partition);
    this.leases = [];
    this.leasedAt = -Infinity;
    // Should the store be away, the leases run out.
    await this.options.store.release(this.owner).catch(() => undefined);
    this.current = { state: 'stopped' };
  }

  status(): ConsumptionStatus {
    return this.current;
  }

  private async loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.keepLeases();
        const wasBusy = await this.publishOnce();
        this.current = { state: 'running' };
        if (!wasBusy) await this.options.store.changed(POLL_MS, signal);
      } catch (error) {
        this.current = { state: 'retrying', reason: translateKafkaError(error).message };
        await delay(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async keepLeases(): Promise<void> {
    if (performance.now() - this.leasedAt < this.leaseMs / 4) return;
    const askedAt = performance.now();
    const leases = await this.options.store.lease(this.owner, this.leaseMs);
    this.leasedAt = askedAt;
    const epochs = new Map(this.leases.map(({ partition, epoch }) => [partition, epoch]));
    for (const { partition, epoch } of leases) {
      // Somebody else had it meanwhile, and has fenced our producer.
      if (epochs.get(partition) !== epoch) await this.forget(partition);
    }
    for (const partition of epochs.keys()) {
      if (!leases.some((lease) => lease.partition === partition)) await this.forget(partition);
    }
    this.leases = leases;
  }

  /** Publishes what is there; answers whether anything was. */
  private async publishOnce(): Promise<boolean> {
    if (this.leases.length === 0) return false;
    const after = new Map(this.leases.map(({ partition, published }) => [partition, published]));
    const changes = await this.options.store.readChanges(after, MAX_CHANGES);
    if (changes.length === 0) return false;
    const results = await Promise.allSettled(
      this.leases.map((lease) =>
        this.publish(
          lease,
          changes.filter(({ partition }) => partition === lease.partition),
        ),
      ),
    );
    const moves = results.flatMap((result) =>
      result.status === 'fulfilled' && result.value !== undefined ? [result.value] : [],
    );
    await this.advance(moves);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return true;
  }

  private async publish(lease: RelayLease, changes: readonly ChangeRecord[]): Promise<RelayMove | undefined> {
    const last = changes.at(-1);
    if (last === undefined) return undefined;
    const { identity, encode = jsonChange } = this.options;
    const messages = await Promise.all(changes.map((change) => messageOfChange(change, identity, encode)));
    try {
      await this.publisherOf(lease.partition).publish(messages);
    } catch (error) {
      await this.forget(lease.partition);
      if (isFenced(error)) this.leasedAt = -Infinity;
      throw error;
    }
    return { ...lease, to: last.seq };
  }

  private async advance(moves: readonly RelayMove[]): Promise<void> {
    if (moves.length === 0) return;
    const moved = await this.options.store.advance(this.owner, moves);
    const ends = new Map(moves.map(({ partition, to }) => [partition, to]));
    // A lease that could not be moved is no longer ours, or not as we knew it.
    if (moves.some(({ partition }) => !moved.has(partition))) this.leasedAt = -Infinity;
    this.leases = this.leases.map((lease) =>
      moved.has(lease.partition)
        ? { ...lease, published: ends.get(lease.partition) ?? lease.published }
        : lease,
    );
  }

  private publisherOf(partition: number): PartitionPublisher {
    const known = this.publishers.get(partition);
    if (known !== undefined) return known;
    const publisher = new PartitionPublisher(
      this.cluster.client,
      this.cluster.topics.changes,
      `${this.cluster.prefix}stratalog-relay-${String(partition)}`,
    );
    this.publishers.set(partition, publisher);
    return publisher;
  }

  private async forget(partition: number): Promise<void> {
    const publisher = this.publishers.get(partition);
    this.publishers.delete(partition);
    await publisher?.close();
  }
}
