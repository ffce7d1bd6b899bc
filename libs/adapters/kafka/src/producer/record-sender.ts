import { ThrottledError, UnavailableError, type StratalogError } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { LogPosition } from '@stratalog/ports';
import type { Kafka, Message, Producer } from 'kafkajs';
import { RequestBatching } from './request-batching';
import { translateKafkaError } from '../cluster/translate-kafka-error';

export interface OutgoingRecord {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where Kafka holds a record that was sent. */
export interface SentPosition<View = undefined> extends LogPosition {
  /** The state of the log before the request of the record. */
  readonly view: View;
  /** How long the request took, with all its repeats. **Units**: milliseconds. */
  readonly tookMs: number;
}

/** Checks the log before each request. */
export interface RequestGuard<View> {
  look(): Promise<View>;
  /** Returns why a record must not be sent. */
  reject(view: View, record: OutgoingRecord): StratalogError | undefined;
}

export const UNGUARDED: RequestGuard<undefined> = {
  look: () => Promise.resolve(undefined),
  reject: () => undefined,
};

interface Waiting<View> {
  readonly record: OutgoingRecord;
  readonly settle: (position: SentPosition<View>) => void;
  readonly fail: (error: unknown) => void;
}

/** Maximum bytes per request, unless a single record is larger. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
const MAX_REQUEST_RECORDS = 1_000;
/**
 * A request costs the broker, the writer that fetches it and the commit about the same for one record and for many.
 * Measured at 300 records a second, longer intervals leave a tenth of all CPU time to indexing.
 */
const REQUEST_BATCHING = { minLingerMs: 10, maxLingerMs: 25, minExpectedRecords: 6, enoughRecords: 20 };
/** Maximum bytes that wait in memory; beyond it, `send` rejects with `ThrottledError`. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Some seconds in total; then the caller gets an error and may retry. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 6 };

/**
 * Sends records idempotently, acknowledged by all replicas. All records that arrive during a request share the next
 * one. Calls encode their records one after another, so records of one partition keep the order of the calls.
 *
 * There is never a second request in flight. kafkajs assigns new sequence numbers to a request after a failure. The
 * broker would take another request with the same numbers for a repeat, and drop but acknowledge it. For the same
 * reason a producer is discarded after a request has failed for good.
 */
export class RecordSender<View = undefined> {
  private readonly queue: Waiting<View>[] = [];
  private waitingBytes = 0;
  private readonly batching = new RequestBatching(REQUEST_BATCHING);
  private producer: Promise<Producer> | undefined;
  private running: Promise<void> | undefined;
  private encoding: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly kafka: Kafka,
    private readonly guard: RequestGuard<View>,
  ) {}

  /**
   * Encodes records in slices and sends them. Resolves with their positions when all replicas have them.
   *
   * **Errors**: errors of `encode`. `UnavailableError` when Kafka did not confirm, so that a record may exist or not;
   * `ThrottledError`, `TooLargeError`.
   */
  async send(encode: Steps<readonly OutgoingRecord[]>): Promise<readonly SentPosition<View>[]> {
    const queued = this.encoding.then(async () => {
      const records = await inSlices(encode);
      return { sent: Promise.allSettled(records.map((record) => this.enqueue(record))) };
    });
    this.encoding = queued.catch(() => undefined);
    return (await (await queued).sent).map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
  }

  /** Resolves after all accepted records were sent or have failed. */
  async close(): Promise<void> {
    this.closed = true;
    await this.running;
    await this.discardProducer();
  }

  private enqueue(record: OutgoingRecord): Promise<SentPosition<View>> {
    if (this.closed) return Promise.reject(new UnavailableError('The log is being closed'));
    if (this.waitingBytes > MAX_WAITING_BYTES) {
      return Promise.reject(new ThrottledError('Too much waits to be sent to Kafka; this was not taken'));
    }
    return new Promise((settle, fail) => {
      this.queue.push({ record, settle, fail });
      this.waitingBytes += record.value.length;
      this.batching.recordAdded();
      this.running ??= this.loop();
    });
  }

  private async loop(): Promise<void> {
    // One turn of the event loop lets calls that arrived together share the first request.
    await new Promise(setImmediate);
    while (this.queue.length > 0) {
      const looking = this.guard.look();
      // Awaited below, after the linger that it shares.
      looking.catch(() => undefined);
      await this.batching.turn(() => this.queue.length);
      await this.sendAdmitted(this.take(), looking);
    }
    this.running = undefined;
  }

  private take(): Waiting<View>[] {
    let bytes = 0;
    let count = 0;
    for (const { record } of this.queue) {
      bytes += record.value.length;
      if (count > 0 && (count >= MAX_REQUEST_RECORDS || bytes > MAX_REQUEST_BYTES)) break;
      count++;
    }
    const taken = this.queue.splice(0, count);
    for (const { record } of taken) this.waitingBytes -= record.value.length;
    return taken;
  }

  private async sendAdmitted(items: readonly Waiting<View>[], looking: Promise<View>): Promise<void> {
    try {
      const view = await looking;
      const admitted = items.filter(({ record, fail }) => {
        const rejection = this.guard.reject(view, record);
        if (rejection !== undefined) fail(rejection);
        return rejection === undefined;
      });
      if (admitted.length > 0) await this.sendTogether(admitted, view);
    } catch (error) {
      for (const { fail } of items) fail(error);
    }
  }

  private async sendTogether(items: readonly Waiting<View>[], view: View): Promise<void> {
    const beganAt = performance.now();
    try {
      const producer = await (this.producer ??= connect(this.kafka));
      const answers = await producer.sendBatch({ acks: -1, topicMessages: groupByTopic(items) });
      const tookMs = performance.now() - beganAt;
      const next = new Map(
        answers.map(({ topicName, partition, baseOffset }) => [
          `${topicName} ${String(partition)}`,
          Number(baseOffset),
        ]),
      );
      for (const { record, settle, fail } of items) {
        const place = `${record.topic} ${String(record.partition)}`;
        const offset = next.get(place);
        if (offset === undefined || offset < 0) fail(new UnavailableError('Kafka reported no offset'));
        else {
          settle({ partition: record.partition, offset, view, tookMs });
          next.set(place, offset + 1);
        }
      }
    } catch (error) {
      await this.discardProducer();
      await this.onFailure(items, view, translateKafkaError(error));
    }
  }

  /** Sends each record alone, so that one too large record does not fail the others of its request. */
  private async onFailure(
    items: readonly Waiting<View>[],
    view: View,
    error: Error & { code?: string },
  ): Promise<void> {
    if (error.code === 'too-large' && items.length > 1) {
      for (const item of items) await this.sendTogether([item], view);
      return;
    }
    for (const { fail } of items) fail(error);
  }

  private async discardProducer(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    await producer?.then((own) => own.disconnect()).catch(() => undefined);
  }
}

async function connect(kafka: Kafka): Promise<Producer> {
  const producer = kafka.producer({
    idempotent: true,
    allowAutoTopicCreation: false,
    createPartitioner: () => partitionOfMessage,
    retry: RETRY,
  });
  await producer.connect();
  return producer;
}

/** Every record names its partition. */
const partitionOfMessage = ({ message }: { readonly message: Message }): number => message.partition ?? 0;

function groupByTopic(
  items: readonly Pick<Waiting<never>, 'record'>[],
): { topic: string; messages: Message[] }[] {
  const topics = new Map<string, Message[]>();
  for (const { record } of items) {
    const { topic, partition, key, value, headers } = record;
    const messages = topics.get(topic) ?? [];
    topics.set(topic, messages);
    messages.push({ partition, key, value, ...(headers === undefined ? {} : { headers }) });
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }));
}
