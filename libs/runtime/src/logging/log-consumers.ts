import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import type { NamedSubscription } from '@stratalog/ports';

/**
 * Runs the log consumers as a Nest microservice: Nest starts them after the routes are mounted and stops them
 * after the last request is answered. The logs deliver their records themselves; no handler is found by
 * reflection.
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

  /** There is no client library whose events could be subscribed to. */
  on(): void {
    return;
  }

  unwrap(): never {
    throw new Error('Log consumers stand over no library of their own');
  }
}
