import { PollLoop, countLag, onMeasure } from '@stratalog/concurrency';
import type { Clock, ConsumerProgress } from '@stratalog/ports';
import { LagClock } from './lag-clock';
import { LagReader, type LaggedConsumer } from './lag-reader';
import { Latencies } from './latencies';

/** How far a consumer of a log is in one partition. */
export interface PartitionLag {
  /** Name of the consumer: `indexer`. */
  readonly stage: string;
  readonly partition: number;
  /** Number of the last record that it has handled, and of the last record of the log. */
  readonly handled: number;
  readonly end: number;
  readonly records: number;
  /** Time since the oldest record that it has not handled was seen. */
  readonly seconds: number;
}

/** What happened in one interval of the history. */
export interface WorkSample {
  /** End of the interval, in epoch ms. */
  readonly time: number;
  /** Proposals that the writer applied; absent while the log does not answer, and in the first interval. */
  readonly proposalsPerSecond?: number;
  /** Requests that this process answered. */
  readonly requestsPerSecond: number;
  /** Absent without a request. */
  readonly p50Millis?: number;
  readonly p95Millis?: number;
  /** Records that each stage had not handled at the end. */
  readonly lag: Readonly<Record<string, number>>;
}

/** Answers stay as old as a page that asks every two seconds can tell. */
const EVERY_MS = 2_000;
/** Rounds of one interval, and the intervals of half an hour. */
const ROUNDS = 5;
export const SAMPLE_SECONDS = (EVERY_MS * ROUNDS) / 1_000;
const MAX_SAMPLES = 180;
/** The consumer of the proposal log. */
const WRITER = 'writer';

export interface WorkWatchOptions {
  readonly consumers: readonly LaggedConsumer[];
  readonly clock: Clock;
}

/** Watches what the catalog does, and remembers the last half hour of it in this process. */
export class WorkWatch {
  private readonly lags: LagReader;
  private readonly lagClock = new LagClock();
  private known: readonly PartitionLag[] = [];
  private samples: readonly WorkSample[] = [];
  private latencies = new Latencies();
  private rounds = 0;
  private former: { readonly atMs: number; readonly applied: number | undefined } = {
    atMs: performance.now(),
    applied: undefined,
  };
  private stopMeasuring: () => void = () => undefined;
  private readonly loop = new PollLoop<void>({ round: () => this.watch(), everyMs: EVERY_MS });

  constructor(private readonly options: WorkWatchOptions) {
    this.lags = new LagReader(options.consumers);
  }

  async start(): Promise<void> {
    this.stopMeasuring = onMeasure('request', ({ seconds }) => {
      this.latencies.add(seconds * 1_000);
    });
    await this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopMeasuring();
    await this.loop.stop();
  }

  /** The lag of each stage and partition, at most some seconds old. */
  partitionLags(): readonly PartitionLag[] {
    return this.known;
  }

  /** The intervals of the last half hour, the oldest first. */
  history(): readonly WorkSample[] {
    return this.samples;
  }

  private async watch(): Promise<void> {
    const progress = await this.lags.read();
    this.known = [...progress].flatMap(([stage, found]) => this.toLags(stage, found));
    this.rounds += 1;
    if (this.rounds % ROUNDS === 0) this.sample(progress);
  }

  private toLags(stage: string, found: ConsumerProgress): readonly PartitionLag[] {
    return [...found].map(([partition, standing]) => {
      const { committedOffset: handled, endOffset: end } = standing;
      const seconds = this.lagClock.tell(`${stage} ${String(partition)}`, standing, performance.now());
      return {
        stage,
        partition,
        handled,
        end,
        records: Math.max(0, end - handled),
        seconds: Math.round(seconds),
      };
    });
  }

  private sample(progress: ReadonlyMap<string, ConsumerProgress>): void {
    const atMs = performance.now();
    const writer = progress.get(WRITER);
    const applied =
      writer === undefined
        ? undefined
        : [...writer.values()].reduce((sum, { committedOffset }) => sum + committedOffset, 0);
    const seconds = (atMs - this.former.atMs) / 1_000;
    const { latencies } = this;
    const [p50Millis, p95Millis] = [latencies.quantile(0.5), latencies.quantile(0.95)];
    const sample: WorkSample = {
      time: this.options.clock.now(),
      ...(applied !== undefined &&
        this.former.applied !== undefined && {
          proposalsPerSecond: toRate(applied - this.former.applied, seconds),
        }),
      requestsPerSecond: toRate(latencies.count, seconds),
      ...(p50Millis !== undefined && { p50Millis }),
      ...(p95Millis !== undefined && { p95Millis }),
      lag: Object.fromEntries([...progress].map(([stage, found]) => [stage, countLag(found)])),
    };
    this.samples = [...this.samples, sample].slice(-MAX_SAMPLES);
    this.former = { atMs, applied };
    this.latencies = new Latencies();
  }
}

/** A log that was made again begins with lower numbers; the rate is then 0. */
function toRate(count: number, seconds: number): number {
  return seconds > 0 ? Math.round((Math.max(0, count) / seconds) * 10) / 10 : 0;
}
