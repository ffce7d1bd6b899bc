import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import type { NamedSubscription } from '@stratalog/ports';

/**
 * The readers of logs as a Nest microservice: Nest starts them after the routes are there and stops them after the last request was
 * answered. Delivery is the logs' own; no handler is found by reflection.
 */
export class LogConsumers extends Server implements CustomTransportStrategy {
  private started: NamedSubscription[] = [];

  constructor(private readonly consumers: readonly NamedSubscription[]) {
    super();
    const names = consumers.map(({ name }) => name);
    const doubled = names.find((name, at) => names.indexOf(name) !== at);
    if (doubled !== undefined) throw new Error(`Two log consumers are called ${doubled}`);
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      for (const consumer of this.consumers) {
        this.started.push(consumer);
        await consumer.subscription.start();
      }
      callback();
    } catch (error) {
      callback(error);
    }
  }

  async close(): Promise<void> {
    const started = this.started.reverse();
    this.started = [];
    const failures: unknown[] = [];
    for (const { subscription } of started)
      await subscription.stop().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'Log consumers did not stop in order');
  }

  /** There are no events of a client library to listen to. */
  on(): void {
    return;
  }

  unwrap(): never {
    throw new Error('Log consumers stand over no library of their own');
  }
}
