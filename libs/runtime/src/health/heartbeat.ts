import { PollLoop, countLag } from '@stratalog/concurrency';
import type {
  InstanceRegistry,
  InstanceReport,
  NamedSubscription,
  RegisteredInstance,
} from '@stratalog/ports';
import { LagReader, listOwnLagged } from './work/lag-reader';

/** An instance as health shows it. */
export interface InstanceHealth extends RegisteredInstance {
  /** The status that the instance last reported; `lost` after `lostAfterMs` of silence. */
  readonly status: string;
}

export interface HeartbeatOptions {
  readonly registry: InstanceRegistry;
  readonly consumers: readonly NamedSubscription[];
  /** Describes this process, without its lag. */
  readonly describe: () => Omit<InstanceReport, 'lag'>;
}

const EVERY_MS = 2_000;
/** A silent instance counts as lost after the time in which Kafka gives its partitions to another one. */
const LOST_AFTER_MS = 10_000;

/**
 * Registers this process in the store periodically, and reads the other instances from each answer. Health
 * uses the last answer and never waits for the store.
 */
export class Heartbeat {
  private readonly lags: LagReader;
  private lag: Readonly<Record<string, number>> = {};
  /** The last lag that an instance has told, by consumer. */
  readonly lastLags = new Map<string, number>();
  private known: { readonly at: number; readonly instances: readonly RegisteredInstance[] } | undefined;
  private readonly rounds = new PollLoop<void>({
    round: () => this.beat(),
    everyMs: EVERY_MS,
  });

  constructor(private readonly options: HeartbeatOptions) {
    this.lags = new LagReader(listOwnLagged(options.consumers));
  }

  start(): Promise<void> {
    return this.rounds.start();
  }

  /** Leaves the registry. If the store is unreachable, the other instances see this one as lost. */
  async stop(): Promise<void> {
    await this.rounds.stop();
    await this.options.registry.leave(this.options.describe().id).catch(() => undefined);
  }

  /**
   * All instances of the catalog; undefined once the last answer of the store is old enough that any of them
   * may be lost.
   */
  instances(): readonly InstanceHealth[] | undefined {
    if (this.known === undefined) return undefined;
    const ageMs = performance.now() - this.known.at;
    if (ageMs > LOST_AFTER_MS) return undefined;
    return this.known.instances.map((instance) => {
      const isLost = instance.seenMsAgo > LOST_AFTER_MS;
      const seenMsAgo = Math.round(instance.seenMsAgo + ageMs);
      return { ...instance, seenMsAgo, status: isLost ? 'lost' : instance.status };
    });
  }

  /** Reports the lag that was known before: a server that does not answer delays no heartbeat. */
  private async beat(): Promise<void> {
    void this.lags.read().then((found) => {
      this.lag = Object.fromEntries([...found].map(([name, progress]) => [name, countLag(progress)]));
    });
    const report = { ...this.options.describe(), lag: this.lag };
    const instances = await this.options.registry.report(report);
    this.known = { instances, at: performance.now() };
    for (const { lag } of instances.toSorted((a, b) => b.seenMsAgo - a.seenMsAgo))
      for (const [name, count] of Object.entries(lag)) this.lastLags.set(name, count);
  }
}
