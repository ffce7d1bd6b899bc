import { Kafka, logLevel, type Message } from 'kafkajs';

/** A proposal of the bench: an aspect of a dataset, as canonical JSON text. */
export interface Proposed {
  readonly urn: string;
  readonly aspectName?: string;
  readonly value: string;
}

const RECORDS_PER_REQUEST = 500;

/** Produces proposals to the topic like any producer: JSON, by the client's own partitioner. */
export class ProposalProducer {
  private constructor(
    private readonly producer: ReturnType<Kafka['producer']>,
    private readonly topic: string,
  ) {}

  static async connect(brokers: string, topicPrefix: string): Promise<ProposalProducer> {
    const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.ERROR });
    const producer = kafka.producer({ idempotent: true });
    await producer.connect();
    return new ProposalProducer(producer, `${topicPrefix}MetadataChangeProposal_v1`);
  }

  /** Resolves with their number when all are acknowledged. */
  async produce(proposals: Iterable<Proposed>): Promise<number> {
    let count = 0;
    let messages: Message[] = [];
    const send = async (): Promise<void> => {
      if (messages.length > 0) await this.producer.send({ topic: this.topic, messages, acks: -1 });
      messages = [];
    };
    for (const proposed of proposals) {
      count++;
      if (messages.push(toRecord(proposed)) >= RECORDS_PER_REQUEST) await send();
    }
    await send();
    return count;
  }

  close(): Promise<void> {
    return this.producer.disconnect();
  }
}

export function toRecord({ urn, aspectName = 'datasetProperties', value }: Proposed): Message {
  return {
    key: urn,
    value: JSON.stringify({
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName,
      aspect: { value, contentType: 'application/json' },
      systemMetadata: { lastObserved: 1_700_000_000_000, runId: 'bench' },
    }),
  };
}
