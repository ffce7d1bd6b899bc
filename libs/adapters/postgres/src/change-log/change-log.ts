import { timeRange, type ChangeKey, type PartitionSequences } from '@stratalog/domain';
import { handledPart, pause, PollLoop, type Notifier } from '@stratalog/concurrency';
import type {
  BatchHandler,
  ChangeConsumerOptions,
  ChangeLog,
  Subscription,
  SubscriptionStatus,
  LogRange,
} from '@stratalog/ports';
import type { Database, Statement } from '../database/database';
import { ReaderBackpressure } from './reader-backpressure';

/** Poll interval without a notification; it bounds the delay of changes by other processes. */
const POLL_MS = 50;
/** Delay between a notification and the read, so that several commits become one batch, whose fixed costs they share. */
const LINGER_MS = 20;
const RETRY_DELAY_MS = 250;

const READ: Statement = {
  name: 'read-changes',
  text: `select c.partition, c.seq, c.urn, c.aspect, c.version, c.kind = 'timeseries' as is_timeseries,
                d.seq is not null as deleted_timeseries, d.start_ms, d.end_ms
           from unnest($1::integer[], $2::bigint[]) r(partition, after)
          cross join lateral (select partition, seq, urn, aspect, version, kind from change x
                               where x.partition = r.partition and x.seq > r.after
                               order by x.seq limit $3) c
           left join lateral (select seq, start_ms, end_ms from timeseries_deletion
                               where c.kind = 'delete' and partition = c.partition and seq = c.seq limit 1) d on true
          order by c.partition, c.seq`,
};

interface ChangeRow {
  readonly partition: number;
  readonly seq: number;
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly is_timeseries: boolean;
  readonly deleted_timeseries: boolean;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
}

/**
 * Reads the `change` table as a log.
 *
 * The lock of a partition's counter row makes its changes visible in `seq` order. So reading on from the last `seq`
 * never skips one.
 */
export class PostgresChangeLog implements ChangeLog {
  constructor(
    private readonly database: Database,
    private readonly partitions: number,
    private readonly changes: Notifier,
  ) {}

  consume(options: ChangeConsumerOptions, handler: BatchHandler<ChangeKey, void>): Subscription {
    return new ChangeSubscription(this, options, handler, this.changes);
  }

  /** Reads the changes after `after`. Every partition gets its share of `limit`, so that a busy one starves none. */
  async read(
    after: PartitionSequences,
    limit: number,
  ): Promise<{ changes: readonly ChangeKey[]; more: boolean }> {
    const partitions = Array.from({ length: this.partitions }, (_, partition) => partition);
    const share = Math.ceil(limit / this.partitions);
    const rows = await this.database.use(async (client) => {
      const result = await client.query<ChangeRow>({
        ...READ,
        values: [partitions, partitions.map((partition) => after.get(partition) ?? 0), share],
      });
      return result.rows;
    });
    const changes = rows.map(toChangeKey);
    return { changes, more: rows.length >= share };
  }
}

interface BatchEnd {
  /** True when there may be more changes. */
  readonly hasMore: boolean;
  /** Time that belongs to writers before the next batch. */
  readonly pauseMs: number;
}

/** Reads and delivers changes for one consumer, and waits for a notification when none are left. */
class ChangeSubscription implements Subscription {
  private after = new Map<number, number>();
  /** Number of changes in the last batch. */
  private lastBatch = 0;
  /** Number of notifications until its end. */
  private commits = 0;
  private readonly backpressure = new ReaderBackpressure();
  private readonly loop: PollLoop<BatchEnd>;

  constructor(
    private readonly log: PostgresChangeLog,
    private readonly options: ChangeConsumerOptions,
    private readonly handler: BatchHandler<ChangeKey, void>,
    private readonly changes: Notifier,
  ) {
    this.loop = new PollLoop({
      round: () => this.timedStep(),
      untilNext: async ({ hasMore, pauseMs }, signal) => {
        await pause(pauseMs, signal);
        if (hasMore) return;
        await changes.wait(POLL_MS, signal);
        if (pauseMs === 0) await pause(LINGER_MS, signal);
      },
      retryDelayMs: RETRY_DELAY_MS,
    });
  }

  async start(): Promise<void> {
    this.after = new Map(await this.options.after());
    await this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  status(): SubscriptionStatus {
    return this.loop.status();
  }

  private async timedStep(): Promise<BatchEnd> {
    const beganAt = performance.now();
    const hasMore = await this.step(this.after);
    const tookMs = performance.now() - beganAt;
    const commits = this.changes.count - this.commits;
    this.commits += commits;
    const pauseMs = this.backpressure.pauseAfter({ changes: this.lastBatch, commits, tookMs, hasMore });
    return { hasMore, pauseMs };
  }

  /** Reads and delivers one batch; returns whether there may be more. */
  private async step(after: Map<number, number>): Promise<boolean> {
    const { changes, more } = await this.log.read(after, this.options.maxRecords);
    this.lastBatch = changes.length;
    if (changes.length === 0) return false;
    const ends = new Map(changes.map(({ partition, seq }) => [partition, seq]));
    const ranges: LogRange[] = [...ends].map(([partition, to]) => ({
      partition,
      from: after.get(partition) ?? 0,
      to,
    }));
    const records = changes.map((change) => ({
      partition: change.partition,
      offset: change.seq,
      content: { kind: 'decoded', value: change } as const,
    }));
    const batch = { records, ranges };
    const verdict = await this.handler(batch);
    if (verdict.kind === 'retry') throw verdict.cause;
    for (const { partition, to } of handledPart(batch, verdict.rest).ranges) after.set(partition, to);
    return more || verdict.rest !== undefined;
  }
}

function toChangeKey(row: ChangeRow): ChangeKey {
  const { partition, seq, urn, aspect, version, start_ms, end_ms } = row;
  return {
    partition,
    seq,
    urn,
    aspectName: aspect,
    version,
    ...(row.is_timeseries ? { isTimeseriesValue: true } : {}),
    ...(row.deleted_timeseries ? { timestamps: timeRange(start_ms, end_ms) } : {}),
  };
}
