import {
  Server,
  type BaseRpcContext,
  type CustomTransportStrategy,
  type MessageHandler,
} from '@nestjs/microservices';
import type { PartitionSequences } from '@stratalog/domain';
import type {
  Batch,
  ChangeLog,
  LogSubscriptions,
  NamedSubscription,
  ProposalLog,
  SubscribeToChanges,
  Subscription,
  Verdict,
} from '@stratalog/ports';
import { isObservable, lastValueFrom } from 'rxjs';
import { BatchContext, ChangeContext } from './batch-context';
import { LOG_TRANSPORT, toPattern, type Log } from './log-pattern';

export interface Logs {
  readonly proposals: Pick<ProposalLog, 'consume'>;
  readonly changes: Pick<ChangeLog, 'consume'>;
}

/**
 * The transport of a Nest microservice over the logs: it delivers their batches to the handlers, and their verdicts to the logs.
 *
 * `listen` starts the consumers of the process in their order, and `close` stops them in the reverse.
 */
export class LogServer extends Server implements CustomTransportStrategy, LogSubscriptions {
  override readonly transportId = LOG_TRANSPORT;
  private readonly consumers: NamedSubscription[] = [];
  private readonly needed = new Set<string>();
  private started: NamedSubscription[] = [];
  private starting: Promise<void> | undefined;

  /** @param onStopFailure receives the error of a consumer that did not stop; the others are stopped all the same */
  constructor(
    private readonly logs: Logs,
    private readonly onStopFailure: (cause: unknown) => void,
  ) {
    super();
  }

  toProposals(consumer: string): Subscription {
    const pattern = this.need('proposals', consumer);
    return this.logs.proposals.consume((batch) =>
      this.deliver(pattern, batch, new BatchContext([consumer, batch.ranges])),
    );
  }

  toChanges(consumer: string): SubscribeToChanges {
    const pattern = this.need('changes', consumer);
    return (options) => {
      let start: PartitionSequences = new Map();
      const after = async (): Promise<PartitionSequences> => (start = await options.after());
      return this.logs.changes.consume({ ...options, after }, (batch) =>
        this.deliver(pattern, batch, new ChangeContext([consumer, batch.ranges, options, start])),
      );
    };
  }

  /** **Errors**: throws when a name is taken. */
  add(consumers: readonly NamedSubscription[]): void {
    for (const consumer of consumers) {
      if (this.consumers.some(({ name }) => name === consumer.name))
        throw new Error(`Two log consumers are called ${consumer.name}`);
      this.consumers.push(consumer);
    }
  }

  /** **Errors**: throws for a second handler of a consumer, which Nest would call after the first. */
  override addHandler(pattern: string, ...rest: [MessageHandler, boolean?, Record<string, unknown>?]): void {
    if (this.messageHandlers.has(pattern)) throw new Error(`Two handlers consume ${pattern}`);
    super.addHandler(pattern, ...rest);
  }

  /** Calls `callback` once every consumer has started, or with the error of the first that did not. */
  listen(callback: (error?: unknown) => void): void {
    this.starting = this.startAll();
    void this.starting.then(() => {
      callback();
    }, callback);
  }

  /** Stops each consumer after its current batch; one that is starting, after its start. */
  async close(): Promise<void> {
    await this.starting?.catch(() => undefined);
    const started = this.started.reverse();
    this.started = [];
    for (const { subscription } of started) await subscription.stop().catch(this.onStopFailure);
  }

  on(event: string): never {
    throw new Error(`The logs emit no event ${event}; the status of a consumer is that of its subscription`);
  }

  unwrap(): never {
    throw new Error('The logs are ports, and have no server of their own');
  }

  private need(log: Log, consumer: string): string {
    const pattern = toPattern(log, consumer);
    this.needed.add(pattern);
    return pattern;
  }

  private async startAll(): Promise<void> {
    for (const pattern of this.needed)
      if (!this.messageHandlers.has(pattern)) throw new Error(`No handler consumes ${pattern}`);
    for (const consumer of this.consumers) {
      this.started.push(consumer);
      await consumer.subscription.start();
    }
  }

  private async deliver<T, R>(
    pattern: string,
    batch: Batch<T>,
    context: BaseRpcContext,
  ): Promise<Verdict<R, T>> {
    const handler = this.messageHandlers.get(pattern);
    if (handler === undefined) throw new Error(`No handler consumes ${pattern}`);
    const answer: unknown = await handler(batch, context);
    // Interceptors make it an observable.
    return (isObservable(answer) ? await lastValueFrom(answer) : answer) as Verdict<R, T>;
  }
}
