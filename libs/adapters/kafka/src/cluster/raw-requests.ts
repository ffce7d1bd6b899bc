import { UnavailableError } from '@stratalog/domain';
import type { Kafka, KafkaMessage } from 'kafkajs';
import { topicStateExchange, type RawExchange, type TopicState } from './topic-state';
import { translateKafkaError } from './translate-kafka-error';

const CREATE_CLUSTER = 'private:Kafka:createCluster';
/** The same isolation level as the change subscription. */
const READ_UNCOMMITTED = 0;
/** Limits the answer to one batch: brokers send the first whole, whatever its size. */
const PEEK_BYTES = 1024;
const PEEK_WAIT_MS = 100;

/** The used parts of kafkajs's cluster and brokers; its public types give no access to them. */
interface InnerBroker {
  readonly connectionPool: {
    send<Answer>(exchange: RawExchange<Answer>): Promise<Answer>;
  };
  fetch(request: object): Promise<{ responses: { partitions: { messages: KafkaMessage[] }[] }[] }>;
}
interface InnerCluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>;
  findBroker(broker: { readonly nodeId: string }): Promise<InnerBroker>;
  readonly brokerPool: { findConnectedBroker(): Promise<InnerBroker> };
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[];
  fetchTopicsOffset(
    topics: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number }[];
      readonly fromBeginning: boolean;
    }[],
  ): Promise<{ readonly partitions: readonly { readonly partition: number; readonly offset: string }[] }[]>;
}
/** Low and high watermark of a partition: its first offset, and the offset of the next record. */
export interface TopicWatermarks {
  readonly low: number;
  readonly high: number;
}

/**
 * Sends three requests that kafkajs does not offer, on its own connections with the settings of the client.
 *
 * They read a topic's id, which changes when a topic is created again, and its leader epochs; the first record from an offset, without
 * a consumer; and the real end of partitions, where kafkajs's own answer stops before an open transaction.
 */
export class RawRequests {
  private cluster: Promise<InnerCluster> | undefined;

  /** Only `topics` can be queried: the client must know them before concurrent requests run. */
  constructor(
    private readonly kafka: Kafka,
    private readonly topics: readonly string[],
  ) {}

  /** Asks any broker that is connected: while a leader is away, the others know the topic. */
  describeTopic(topic: string): Promise<TopicState> {
    return this.use(async (cluster) =>
      (await cluster.brokerPool.findConnectedBroker()).connectionPool.send(topicStateExchange(topic)),
    );
  }

  /**
   * Reads the first record at or after `offset` that is not the end of a transaction; `undefined` when there is none
   * yet.
   */
  async firstFrom(topic: string, partition: number, offset: number): Promise<KafkaMessage | undefined> {
    for (let from = offset; ;) {
      const messages = await this.fetch(topic, partition, from);
      const found = messages.find((message) => Number(message.offset) >= from && !isControl(message));
      if (found !== undefined) return found;
      const next = Number(messages.at(-1)?.offset ?? -1) + 1;
      if (next <= from) return undefined;
      from = next;
    }
  }

  readWatermarks(topic: string): Promise<ReadonlyMap<number, TopicWatermarks>> {
    return this.use(async (cluster) => {
      const partitions = cluster
        .findTopicPartitionMetadata(topic)
        .map(({ partitionId }) => ({ partition: partitionId }));
      // Low watermarks first: a concurrent removal then cannot make a partition end before it begins.
      const [first] = await cluster.fetchTopicsOffset([{ topic, partitions, fromBeginning: true }]);
      const [last] = await cluster.fetchTopicsOffset([{ topic, partitions, fromBeginning: false }]);
      const ends = new Map(last?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
      return new Map(
        (first?.partitions ?? []).map(({ partition, offset }) => [
          partition,
          { low: Number(offset), high: ends.get(partition) ?? 0 },
        ]),
      );
    });
  }

  async close(): Promise<void> {
    const { cluster } = this;
    this.cluster = undefined;
    await (await cluster?.catch(() => undefined))?.disconnect();
  }

  private async fetch(topic: string, partition: number, offset: number): Promise<KafkaMessage[]> {
    const answer = await this.askLeader(topic, partition, (broker) =>
      broker.fetch({
        maxWaitTime: PEEK_WAIT_MS,
        minBytes: 1,
        maxBytes: PEEK_BYTES,
        isolationLevel: READ_UNCOMMITTED,
        topics: [{ topic, partitions: [{ partition, fetchOffset: String(offset), maxBytes: PEEK_BYTES }] }],
        rackId: '',
      }),
    );
    return answer.responses.flatMap(({ partitions }) => partitions.flatMap((own) => own.messages));
  }

  private askLeader<T>(
    topic: string,
    partition: number,
    request: (broker: InnerBroker) => Promise<T>,
  ): Promise<T> {
    return this.use(async (cluster) => {
      const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
      if (nodeId === undefined)
        throw new UnavailableError(`No broker leads partition ${String(partition)} of ${topic} now`);
      return request(await cluster.findBroker({ nodeId }));
    });
  }

  private async use<T>(work: (cluster: InnerCluster) => Promise<T>): Promise<T> {
    try {
      return await work(await (this.cluster ??= connect(this.kafka, this.topics)));
    } catch (error) {
      // Leaders move and connections break; the next request starts with new ones.
      await this.close();
      throw translateKafkaError(error);
    }
  }
}

function isControl(message: KafkaMessage): boolean {
  return (message as KafkaMessage & { readonly isControlRecord?: boolean }).isControlRecord === true;
}

async function connect(kafka: Kafka, topics: readonly string[]): Promise<InnerCluster> {
  const symbol = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === CREATE_CLUSTER,
  );
  const create = (kafka as unknown as Record<symbol, (options: object) => InnerCluster>)[symbol ?? Symbol()];
  if (create === undefined) throw new Error(`This kafkajs has no ${CREATE_CLUSTER}`);
  const cluster = create.call(kafka, {
    allowAutoTopicCreation: false,
    metadataMaxAge: 0,
    isolationLevel: READ_UNCOMMITTED,
  });
  await cluster.connect();
  await cluster.addMultipleTargetTopics(topics);
  return cluster;
}
