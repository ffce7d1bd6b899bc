import { PollLoop } from '@stratalog/concurrency';
import type { LogOffsets, Subscription, SubscriptionStatus } from '@stratalog/ports';

const EVERY_MS = 1_000;

/** Shows for a process that accepts writes whether the proposal log is stopped until an operator decides. */
export class LogWatch implements Subscription {
  private readonly rounds: PollLoop<void>;
  private reason: string | undefined;

  constructor(offsets: Pick<LogOffsets, 'read'>) {
    this.rounds = new PollLoop({
      round: async () => {
        this.reason = describeStops(await offsets.read());
      },
      everyMs: EVERY_MS,
    });
  }

  start(): Promise<void> {
    return this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** While the store does not answer, the last known state counts: writes go into the log meanwhile. */
  status(): SubscriptionStatus {
    if (this.rounds.status().state === 'stopped') return { state: 'stopped' };
    const { reason } = this;
    return reason === undefined ? { state: 'running' } : { state: 'retrying', reason };
  }
}

/** Describes why partitions of the log wait for an operator; `undefined` when none does. */
export function describeStops(offsets: Awaited<ReturnType<LogOffsets['read']>>): string | undefined {
  const stops = [...offsets].flatMap(([partition, { stop }]) =>
    stop === undefined ? [] : [`partition ${String(partition)}: ${stop.reason}`],
  );
  return stops.length === 0 ? undefined : `stopped until an operator decides: ${stops.join('; ')}`;
}
