import { UnavailableError } from '@stratalog/domain';

const METADATA_KEY = 3;
/**
 * The first version that returns a topic's id and has no field that later ones dropped; Kafka 2.8 and newer support it.
 */
const METADATA_VERSION = 11;

/** A topic as a broker describes it. */
export interface TopicState {
  /** Differs for every topic of the same name. */
  readonly id: string;
  /** Rises with each new leader of a partition, also when the only broker restarts: a leader keeps what it has taken. */
  readonly leaderEpochs: ReadonlyMap<number, number>;
}

/** A request in the form of kafkajs's own encoder, and how its answer is read. */
export interface RawExchange<Answer> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    encode(): Promise<{ readonly buf: Buffer; readonly buffer: Buffer; size(): number }>;
  };
  readonly response: {
    decode(answer: Buffer): Promise<Buffer>;
    parse(answer: Buffer): Promise<Answer>;
  };
}

/**
 * Compact strings and arrays are preceded by their length plus one, and structures end with their number of tags: none.
 */
export function topicStateExchange(topic: string): RawExchange<TopicState> {
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
    request: {
      apiKey: METADATA_KEY,
      apiVersion: METADATA_VERSION,
      apiName: 'Metadata',
      encode: () => Promise.resolve({ buf: bytes, buffer: bytes, size: () => bytes.length }),
    },
    response: {
      decode: (answer) => Promise.resolve(answer),
      parse: (answer) => Promise.resolve(readTopicState(new AnswerReader(answer))),
    },
  };
}

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.from([(value & 0x7f) | 0x80, value >> 7]);
}

/** Skips brokers and cluster in the answer and reads the requested topic. */
function readTopicState(answer: AnswerReader): TopicState {
  answer.skip(1 + 4); // tags of the header, throttle time
  for (let brokers = answer.length(); brokers > 0; brokers--) {
    answer.skip(4);
    answer.skipText();
    answer.skip(4);
    answer.skipText();
    answer.skip(1);
  }
  answer.skipText(); // cluster id
  answer.skip(4 + 1); // controller, number of topics
  const error = answer.int16();
  answer.skipText();
  if (error !== 0) throw new UnavailableError(`Kafka does not describe the topic (error ${String(error)})`);
  const id = answer.bytes(16).toString('hex');
  answer.skip(1); // whether it is internal
  const leaderEpochs = new Map<number, number>();
  for (let partitions = answer.length(); partitions > 0; partitions--) {
    answer.skip(2);
    const partition = answer.int32();
    answer.skip(4); // leader
    leaderEpochs.set(partition, answer.int32());
    for (let lists = 0; lists < 3; lists++) answer.skip(4 * answer.length()); // replicas: all, in sync, offline
    answer.skip(1);
  }
  return { id, leaderEpochs };
}

class AnswerReader {
  private at = 0;

  constructor(private readonly answer: Buffer) {}

  skip(bytes: number): void {
    this.at += bytes;
  }

  bytes(count: number): Buffer {
    this.at += count;
    return this.answer.subarray(this.at - count, this.at);
  }

  int16(): number {
    return this.bytes(2).readInt16BE();
  }

  int32(): number {
    return this.bytes(4).readInt32BE();
  }

  /** Length of a compact string or array. */
  length(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const [byte = 0] = this.bytes(1);
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return Math.max(0, value - 1);
    }
  }

  skipText(): void {
    this.skip(this.length());
  }
}
