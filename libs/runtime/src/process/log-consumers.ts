import type { NamedSubscription } from '@stratalog/ports';

/** Starts the log consumers of all stages of a process in their order, and stops them in the reverse. */
export class LogConsumers {
  private started: NamedSubscription[] = [];
  private starting: Promise<void> | undefined;

  constructor(private readonly consumers: readonly NamedSubscription[]) {
    const names = consumers.map(({ name }) => name);
    const doubled = names.find((name, at) => names.indexOf(name) !== at);
    if (doubled !== undefined) throw new Error(`Two log consumers are called ${doubled}`);
  }

  start(): Promise<void> {
    this.starting = this.startAll();
    return this.starting;
  }

  /** Stops each consumer after its current batch; one that is starting, after its start. */
  async stop(): Promise<void> {
    await this.starting?.catch(() => undefined);
    const started = this.started.reverse();
    this.started = [];
    const failures: unknown[] = [];
    for (const { subscription } of started)
      await subscription.stop().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'Log consumers did not stop in order');
  }

  private async startAll(): Promise<void> {
    for (const consumer of this.consumers) {
      this.started.push(consumer);
      await consumer.subscription.start();
    }
  }
}
