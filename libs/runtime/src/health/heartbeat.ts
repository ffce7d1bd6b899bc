import {
  PollLoop,
  pause,
  type InstanceRegistry,
  type InstanceReport,
  type NamedSubscription,
  type RegisteredInstance,
} from '@stratalog/ports';

/** An instance as health shows it. */
export interface InstanceHealth extends RegisteredInstance {
  /** What the instance last said of itself; `lost` once it has been silent for too long. */
  readonly status: string;
}

export interface HeartbeatOptions {
  readonly registry: InstanceRegistry;
  readonly consumers: readonly NamedSubscription[];
  /** What the process says of itself, apart from its lag. */
  readonly describe: () => Omit<InstanceReport, 'lag'>;
  readonly timing?: HeartbeatTiming;
}

export interface HeartbeatTiming {
  readonly everyMs: number;
  /** An instance that is silent for so long counts as lost. */
  readonly lostAfterMs: number;
}

/** A lost instance is noticed within the time that Kafka takes to give its partitions to another one. */
const TIMING: HeartbeatTiming = { everyMs: 2_000, lostAfterMs: 10_000 };

/**
 * Registers this process in the store again and again, and knows from each answer which other instances there are. Health reads what
 * is known and never waits for the store.
 */
export class Heartbeat {
  private readonly timing: HeartbeatTiming;
  private readonly lags: LagPoller;
  private known: { readonly at: number; readonly instances: readonly RegisteredInstance[] } | undefined;
  private readonly rounds = new PollLoop<void>({
    round: () => this.beat(),
    untilNext: (_done, signal) => pause(this.timing.everyMs, signal),
    retryDelayMs: 500,
  });

  constructor(private readonly options: HeartbeatOptions) {
    this.timing = options.timing ?? TIMING;
    this.lags = new LagPoller(options.consumers, this.timing.lostAfterMs);
  }

  start(): Promise<void> {
    return this.rounds.start();
  }

  /** Leaves the registry. Should the store be away, the others see the instance as lost. */
  async stop(): Promise<void> {
    await this.rounds.stop();
    await this.options.registry.leave(this.options.describe().id).catch(() => undefined);
  }

  /** All instances of the catalog; undefined while the store has not told for so long that any of them may be lost. */
  instances(): readonly InstanceHealth[] | undefined {
    if (this.known === undefined) return undefined;
    const ageMs = performance.now() - this.known.at;
    if (ageMs > this.timing.lostAfterMs) return undefined;
    return this.known.instances.map((instance) => {
      const isLost = instance.seenMsAgo > this.timing.lostAfterMs;
      const seenMsAgo = Math.round(instance.seenMsAgo + ageMs);
      return { ...instance, seenMsAgo, status: isLost ? 'lost' : instance.status };
    });
  }

  private async beat(): Promise<void> {
    this.lags.refresh();
    const report = { ...this.options.describe(), lag: this.lags.known() };
    this.known = { instances: await this.options.registry.report(report), at: performance.now() };
  }
}

/** The last lag of each consumer that it could tell. A server that is away delays no heartbeat. */
class LagPoller {
  private readonly lags = new Map<string, { readonly lag: number; readonly at: number }>();
  private isBusy = false;

  constructor(
    private readonly consumers: readonly NamedSubscription[],
    private readonly keepMs: number,
  ) {}

  /** Begins to ask, unless the former question is not answered yet. */
  refresh(): void {
    if (this.isBusy) return;
    this.isBusy = true;
    void this.ask().finally(() => (this.isBusy = false));
  }

  known(): Readonly<Record<string, number>> {
    const now = performance.now();
    const recent = [...this.lags].filter(([, { at }]) => now - at <= this.keepMs);
    return Object.fromEntries(recent.map(([name, { lag }]) => [name, lag]));
  }

  private async ask(): Promise<void> {
    await Promise.all(
      this.consumers.map(async ({ name, lag }) => {
        // What is away is the matter of the consumer's own status.
        const answer = await lag?.().catch(() => undefined);
        if (answer !== undefined) this.lags.set(name, { lag: answer, at: performance.now() });
      }),
    );
  }
}
