import { pause } from '@stratalog/concurrency';
import type { Subscription, SubscriptionStatus } from '@stratalog/ports';
import { GroupMember } from './group-member';
import { JoinStorms } from './join-storms';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TopicReader, type TopicReaderOptions } from './topic-reader';
import { READER_TIMING, type ReaderTiming } from './topic-source';
import { translateKafkaError } from '../cluster/translate-kafka-error';

export interface TopicSubscriptionOptions<T, R> extends TopicReaderOptions<T, R> {
  readonly timing?: Partial<ReaderTiming> | undefined;
}

const RESTART_DELAY_MS = 500;

/** Reads a topic as a member of a group. Whatever ends a member, the subscription replaces it by a new one. */
export class TopicSubscription<T, R> implements Subscription {
  private running:
    | {
        readonly reader: TopicReader<T, R>;
        readonly stopping: AbortController;
        readonly ended: Promise<void>;
      }
    | undefined;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: TopicSubscriptionOptions<T, R>,
  ) {}

  /** Resolves once the group is joined, or the first attempt has failed; the subscription then retries. */
  async start(): Promise<void> {
    const stopping = new AbortController();
    const reader = new TopicReader(this.cluster, this.options, stopping.signal);
    await new Promise<void>((settled) => {
      this.running = { reader, stopping, ended: this.supervise(reader, stopping.signal, settled) };
    });
  }

  async stop(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    running?.stopping.abort();
    await running?.ended;
    await running?.reader.stop();
  }

  status(): SubscriptionStatus {
    if (this.running === undefined) return { state: 'stopped' };
    const reason = this.running.reader.failureReason;
    return reason === undefined ? { state: 'running' } : { state: 'retrying', reason };
  }

  private async supervise(
    reader: TopicReader<T, R>,
    signal: AbortSignal,
    settled: () => void,
  ): Promise<void> {
    const { source } = this.options;
    const timing = { ...READER_TIMING, ...this.options.timing };
    const storms = new JoinStorms();
    while (!signal.aborted) {
      const member = new GroupMember(this.cluster, { source, timing, storms, reader });
      try {
        await member.run(signal, settled);
      } catch (error) {
        reader.onEnd(translateKafkaError(error).message);
      }
      settled();
      await pause(RESTART_DELAY_MS, signal);
    }
    settled();
  }
}
