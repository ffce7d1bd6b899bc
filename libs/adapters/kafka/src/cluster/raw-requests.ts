import { UnavailableError } from '@stratalog/model';
import type { Kafka, KafkaMessage } from 'kafkajs';
import { translateKafkaError } from './translate-kafka-error';

const METADATA_KEY = 3;
/** The first version that tells a topic's id and has no field that later ones dropped; Kafka 2.8 and newer know it. */
const METADATA_VERSION = 11;
const CREATE_CLUSTER = 'private:Kafka:createCluster';
/** As the reader of changes does. */
const READ_UNCOMMITTED = 0;
/** One batch at most: brokers send the first whole, however large. */
const PEEK_BYTES = 1024;
const PEEK_WAIT_MS = 100;

/** The parts of kafkajs's cluster and brokers that we call; its own types do not show how to come by one. */
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
  refreshMetadata(): Promise<void>;
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

/** The offsets that a partition holds: the first, and the one that the next record will get. */
export interface TopicWatermarks {
  readonly low: number;
  readonly high: number;
}

/**
 * Three questions that kafkajs cannot ask: a topic's id, by which a topic that was made anew is known; the first record from an offset
 * on, without a consumer; and where partitions really end, when its own answer stops before a transaction that is under way. They run on connections of their own, made by kafkajs with the settings of the client.
 */
export class RawRequests {
  private cluster: Promise<InnerCluster> | undefined;

  /** Only `topics` can be asked about: the client must know of them before several questions run at once. */
  constructor(
    private readonly kafka: Kafka,
    private readonly topics: readonly string[],
  ) {}

  topicId(topic: string): Promise<string> {
    return this.ask(topic, 0, (broker) =>
      broker.connectionPool.send({ request: metadataRequest(topic), response: TOPIC_ID_RESPONSE }),
    );
  }

  /** The first record at or after `offset` that is not the end of a transaction; `undefined` when there is none yet. */
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

  offsetsByPartition(topic: string): Promise<ReadonlyMap<number, TopicWatermarks>> {
    return this.use(async (cluster) => {
      const partitions = cluster
        .findTopicPartitionMetadata(topic)
        .map(({ partitionId }) => ({ partition: partitionId }));
      // The beginning first: what is removed meanwhile then makes no partition end before it begins.
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
    const answer = await this.ask(topic, partition, (broker) =>
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

  private ask<T>(
    topic: string,
    partition: number,
    question: (broker: InnerBroker) => Promise<T>,
  ): Promise<T> {
    return this.use(async (cluster) => {
      const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
      if (nodeId === undefined)
        throw new UnavailableError(`No broker leads partition ${String(partition)} of ${topic} now`);
      return question(await cluster.findBroker({ nodeId }));
    });
  }

  private async use<T>(work: (cluster: InnerCluster) => Promise<T>): Promise<T> {
    try {
      return await work(await (this.cluster ??= connect(this.kafka, this.topics)));
    } catch (error) {
      // Leaders move and connections break; the next question starts from fresh ones.
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

/** Compact strings and arrays are preceded by their length plus one, and structures end with their number of tags: none. */
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
  parse: (answer) => Promise.resolve(topicIdIn(answer)),
};

/** Walks over brokers and cluster to the one topic that was asked for. */
function topicIdIn(answer: Buffer): string {
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
