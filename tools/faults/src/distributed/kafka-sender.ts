import { setTimeout as pause } from 'node:timers/promises';
import type { KafkaCluster } from '@stratalog/adapters-kafka';
import { stringifyJson } from '@stratalog/json';
import { Partitioners, type Producer } from 'kafkajs';
import type { SendResult } from '../catalog/catalog-client';
import type { Ledger, NewSend } from '../ledger/ledger';
import { toProposal } from '../ledger/make-proposal';

/**
 * Kafka accepts records far faster than they are applied, so an unbounded producer would only build a
 * backlog.
 */
const SEND_INTERVAL_MS = 20;

/**
 * Produces proposals to their topic like any program: JSON, the urn as key, a partitioner of its own for some
 * urns.
 */
export class KafkaSender {
  private producer: Promise<Producer> | undefined;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly ledger: Ledger,
  ) {}

  async send(proposed: NewSend): Promise<SendResult> {
    await pause(SEND_INTERVAL_MS);
    let producer: Producer;
    try {
      producer = await (this.producer ??= this.connect());
    } catch {
      await this.forget();
      return { kind: 'unreached' };
    }
    const send = this.ledger.sending(proposed);
    try {
      await producer.send({
        topic: this.cluster.topics.proposals,
        acks: -1,
        messages: [this.message(proposed)],
      });
    } catch {
      // The record may be stored or not. A producer that has failed once is not used again.
      await this.forget();
      return { kind: 'unacknowledged' };
    }
    this.ledger.acknowledge(send, undefined);
    return { kind: 'acknowledged', position: undefined };
  }

  close(): Promise<void> {
    return this.forget();
  }

  private message(proposed: NewSend): { key: string; value: string; partition?: number } {
    const { urn } = proposed;
    const message = { key: urn, value: stringifyJson(toProposal(proposed)) };
    return urn.includes(',new.') ? { ...message, partition: urn.length % this.cluster.partitions } : message;
  }

  private async connect(): Promise<Producer> {
    const producer = this.cluster.client.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { retries: 0 },
    });
    await producer.connect();
    return producer;
  }

  private async forget(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    await producer?.then((own) => own.disconnect()).catch(() => undefined);
  }
}
