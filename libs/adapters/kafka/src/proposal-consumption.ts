import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError, type ProposalEntry, type UrnOfKey, type WriteOutcome } from '@stratalog/model';
import type {
  Batch,
  BatchHandler,
  Consumption,
  ConsumptionStatus,
  LogContent,
  LogOffset,
  LogOffsets,
  SchemaRegistry,
} from '@stratalog/ports';
import type { KafkaMessage } from 'kafkajs';
import type { IncomingRecord } from './batch-delivery';
import { failedProposalRecordOf } from './failed-proposal-record';
import type { KafkaCluster } from './kafka-cluster';
import type { TopicExtent } from './raw-requests';
import { AvroReader, isAvroRecord } from './avro-records';
import { ACTOR_HEADER, CHECKED_HEADER, proposalIn, proposalOfMembers, undecodable } from './proposal-record';
import type { RecordSender } from './record-sender';
import { TopicConsumption } from './topic-consumption';
import type { Place, ReaderTiming, Stretch } from './topic-reader-options';

export interface ProposalConsumptionOptions {
  readonly offsets: LogOffsets;
  readonly maxRecords: number;
  readonly unknownActor: string;
  readonly urnOfKey?: UrnOfKey;
  readonly registry?: SchemaRegistry;
  readonly timing?: Partial<ReaderTiming>;
}

const REGISTRY_RETRY_MS = 500;

/** Reads the proposals of the partitions that this process is given, from where the store stands. */
export class ProposalConsumption implements Consumption {
  private readonly consumption: TopicConsumption<ProposalEntry, WriteOutcome>;
  private readonly avro: AvroReader;
  private decodeTrouble: string | undefined;

  constructor(
    private readonly cluster: KafkaCluster,
    private readonly sender: RecordSender,
    private readonly options: ProposalConsumptionOptions,
    handler: BatchHandler<ProposalEntry, WriteOutcome>,
  ) {
    this.avro = new AvroReader(options.registry);
    this.consumption = new TopicConsumption(cluster, {
      reader: {
        topic: cluster.topics.proposals,
        groupId: cluster.groupOf('writer'),
        readUncommitted: false,
        locate: (partitions, topicId) => this.locate(partitions, topicId),
        take: (stretch) => this.take(stretch),
      },
      delivery: {
        maxRecords: options.maxRecords,
        inPairs: true,
        handler,
        onDone: (batch, results) => {
          this.publishParked(batch, results);
        },
      },
      timing: options.timing,
    });
  }

  start(): Promise<void> {
    return this.consumption.start();
  }

  stop(): Promise<void> {
    return this.consumption.stop();
  }

  status(): ConsumptionStatus {
    const status = this.consumption.status();
    if (status.state !== 'running' || this.decodeTrouble === undefined) return status;
    return { state: 'retrying', reason: this.decodeTrouble };
  }

  /** Binds partitions that were never applied from to the topic as it is now, then tells where the store stands in it. */
  private async locate(partitions: readonly number[], topicId: string): Promise<ReadonlyMap<number, Place>> {
    const topic = this.cluster.topics.proposals;
    const extents = await this.cluster.extents(topic);
    let stored = await this.options.offsets.read();
    const unbound = partitions.filter((partition) => {
      const offset = stored.get(partition);
      return offset?.source === undefined && offset?.applied === 0;
    });
    for (const partition of unbound) {
      const applied = extents.get(partition)?.low ?? 0;
      await this.options.offsets.bind({ partition, topic, topicId, applied });
    }
    if (unbound.length > 0) stored = await this.options.offsets.read();
    return new Map(
      partitions.map((partition) => {
        const offset = stored.get(partition);
        const place = placeOf({ topic, topicId, extent: extents.get(partition), offset });
        if (place.kind === 'at') this.consumption.delivery.open(partition, place.offset);
        return [partition, place];
      }),
    );
  }

  /** Decoding waits for the schema registry as long as it is away: what it would have read must not be parked. */
  private async take({ partition, messages, next, isCurrent, alive }: Stretch): Promise<void> {
    while (isCurrent()) {
      try {
        const records = await Promise.all(messages.map((message) => this.recordOf(partition, message)));
        this.decodeTrouble = undefined;
        if (isCurrent()) this.consumption.delivery.push(partition, records, next);
        return;
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        this.decodeTrouble = error.message;
        await alive();
        await delay(REGISTRY_RETRY_MS);
      }
    }
  }

  private async recordOf(partition: number, message: KafkaMessage): Promise<IncomingRecord<ProposalEntry>> {
    const content = await this.contentOf(message);
    return {
      record: { partition, offset: Number(message.offset) + 1, content },
      bytes: message.value?.length ?? 0,
    };
  }

  private async contentOf({ value, headers, timestamp }: KafkaMessage): Promise<LogContent<ProposalEntry>> {
    const { unknownActor, urnOfKey } = this.options;
    const origin = { unknownActor, urnOfKey, loggedMs: Number(timestamp) };
    if (value === null) return undecodable(new Uint8Array(), 'it has no value');
    if (!isAvroRecord(value)) {
      return proposalIn(value, {
        ...origin,
        actor: headers?.[ACTOR_HEADER]?.toString(),
        checkedBy: headers?.[CHECKED_HEADER]?.toString(),
      });
    }
    try {
      const members = await this.avro.read(value);
      return { kind: 'decoded', value: proposalOfMembers(members, origin) };
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      return undecodable(value, error);
    }
  }

  /**
   * Tells other programs what was set aside. The store has it already; should this be lost with the process, or Kafka be away, the
   * store still tells.
   */
  private publishParked(batch: Batch<ProposalEntry>, results: readonly WriteOutcome[]): void {
    const topics = this.cluster.topics;
    batch.records.forEach((record, at) => {
      const parked = failedProposalRecordOf(topics, record, results[at]);
      if (parked === undefined) return;
      this.sender.send(parked).catch((error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        this.cluster.warn(`A refused proposal was not told to ${topics.failedProposals}: ${text}`);
      });
    });
  }
}

interface Standing {
  readonly topic: string;
  readonly topicId: string;
  readonly extent: TopicExtent | undefined;
  readonly offset: LogOffset | undefined;
}

/** Whether the store's offset means something in the topic as it is; else what has happened and what to do. */
function placeOf({ topic, topicId, extent, offset }: Standing): Place {
  if (extent === undefined || offset === undefined) {
    return stop('the store and the topic have not the same partitions; choose another prefix or topic name');
  }
  const { applied, source } = offset;
  if (source === undefined) {
    return stop(
      `the store has applied ${String(applied)} records of its embedded log, whose offsets mean nothing in Kafka; ` +
        `start the catalog in the profile that it was used in, or with an empty store`,
    );
  }
  if (source.topicId !== topicId) {
    return stop(
      `the store has applied ${String(applied)} records of topic ${source.topic} with id ${source.topicId}, but ${topic} ` +
        `now has id ${topicId}: it was made anew, or is another topic. Bring the former topic back, or use an empty store`,
    );
  }
  if (applied < extent.low) {
    return stop(
      `the records from offset ${String(applied)} to ${String(extent.low - 1)} were removed before they were applied; ` +
        `produce them again into an empty store, and give the topic a longer retention`,
    );
  }
  if (applied > extent.high) {
    return stop(
      `the store has applied ${String(applied)} records, but the topic ends at ${String(extent.high)}: it has lost some, ` +
        `or was put back from an older copy`,
    );
  }
  return { kind: 'at', offset: applied };
}

function stop(reason: string): Place {
  return { kind: 'stopped', reason };
}
