import { UnavailableError } from '@stratalog/model';
import type { Kafka, KafkaMessage } from 'kafkajs';
import { translateKafkaError } from './translate-kafka-error';

const METADATA_KEY = 3;
/**
 * The first version that returns a topic's id and has no field that later ones dropped; Kafka 2.8 and newer support it.
 */
const METADATA_VERSION = 11;
const CREATE_CLUSTER = 'private:Kafka:createCluster';
/** The same isolation level as the change subscription. */
const READ_UNCOMMITTED = 0;
/** Limits the answer to one batch: brokers send the first whole, whatever its size. */
const PEEK_BYTES = 1024;
const PEEK_WAIT_MS = 100;

/** The used parts of kafkajs's cluster and brokers; its public types give no access to them. */
interface InnerBroker {
  readonly connectionPool: {
    send(exchange: { readonly request: RawRequest; readonly response: RawResponse }): Promise<string>;
  };
  fetch(request: object): Promise<{ responses: { partitions: { messages: KafkaMessage[] }[] }[] }>;
}
interface InnerCluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>;
  findBroker(broker: { readonly nodeId: string }): Promise<InnerBroker>;
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[];
  fetchTopicsOffset(
    topics: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number }[];
      readonly fromBeginning: boolean;
    }[],
  ): Promise<{ readonly partitions: readonly { readonly partition: number; readonly offset: string }[] }[]>;
}
interface RawRequest {
  readonly apiKey: number;
  readonly apiVersion: number;
  readonly apiName: string;
  /** In the form of kafkajs's own encoder. */
  encode(): Promise<{ readonly buf: Buffer; readonly buffer: Buffer; size(): number }>;
}
interface RawResponse {
  decode(answer: Buffer): Promise<Buffer>;
  parse(answer: Buffer): Promise<string>;
}

/** Low and high watermark of a partition: its first offset, and the offset of the next record. */
export interface TopicWatermarks {
  readonly low: number;
  readonly high: number;
}

/**
 * Sends three requests that kafkajs does not offer, on its own connections with the settings of the client.
 *
 * They read a topic's id, which changes when a topic is created again; the first record from an offset, without a
 * consumer; and the real end of partitions, where kafkajs's own answer stops before an open transaction.
 */
export class RawRequests {
  private cluster: Promise<InnerCluster> | undefined;

  /** Only `topics` can be queried: the client must know them before concurrent requests run. */
  constructor(
    private readonly kafka: Kafka,
    private readonly topics: readonly string[],
  ) {}

  topicId(topic: string): Promise<string> {
    return this.askLeader(topic, 0, (broker) =>
      broker.connectionPool.send({ request: metadataRequest(topic), response: TOPIC_ID_RESPONSE }),
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

/**
 * Compact strings and arrays are preceded by their length plus one, and structures end with their number of tags: none.
 */
function metadataRequest(topic: string): RawRequest {
  const name = Buffer.from(topic, 'utf8');
  const NO_TAGS = 0;
  const bytes = Buffer.concat([
    Buffer.from([NO_TAGS, 2]),
    Buffer.alloc(16),
    varint(name.length + 1),
    name,
    Buffer.from([NO_TAGS, 0, 0, NO_TAGS]),
  ]);
  return {
    apiKey: METADATA_KEY,
    apiVersion: METADATA_VERSION,
    apiName: 'Metadata',
    encode: () => Promise.resolve({ buf: bytes, buffer: bytes, size: () => bytes.length }),
  };
}

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.from([(value & 0x7f) | 0x80, value >> 7]);
}

const TOPIC_ID_RESPONSE: RawResponse = {
  decode: (answer) => Promise.resolve(answer),
  parse: (answer) => Promise.resolve(readTopicId(answer)),
};

/** Skips brokers and cluster in the answer and reads the id of the requested topic. */
function readTopicId(answer: Buffer): string {
  let at = 0;
  const skip = (bytes: number): void => {
    at += bytes;
  };
  const length = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = answer.readUInt8(at++);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value;
    }
  };
  const skipText = (): void => {
    skip(Math.max(0, length() - 1));
  };
  skip(1 + 4); // tags of the header, throttle time
  for (let brokers = length() - 1; brokers > 0; brokers--) {
    skip(4);
    skipText();
    skip(4);
    skipText();
    skip(1);
  }
  skipText(); // cluster id
  skip(4 + 1); // controller, number of topics
  const error = answer.readInt16BE(at);
  skip(2);
  skipText();
  if (error !== 0) throw new UnavailableError(`Kafka does not tell the topic's id (error ${String(error)})`);
  return answer.subarray(at, at + 16).toString('hex');
}
