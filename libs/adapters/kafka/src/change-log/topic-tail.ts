import type { ChangeKey } from '@stratalog/domain';
import type { StoreIdentity } from '@stratalog/ports';
import type { KafkaMessage } from 'kafkajs';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { parseChangeKey } from './change-record-message';

/** The last change that a partition of the topic holds. */
export interface LastChange extends ChangeKey {
  /** Epoch ms; absent where the topic has times of its own. */
  readonly createdMs?: number;
}

/** The search goes back from the end by this many offsets, then by ever more: the ends of transactions take some. */
const FIRST_STEP = 8;
const STEP_FACTOR = 4;
/** Kafka's number for times that the producer sets. */
const CREATE_TIME = 0;

/** Reads the last change in each partition of the topic; a partition is absent whose last record is not of this store and epoch. */
export async function readLastChanges(
  cluster: KafkaCluster,
  partitions: readonly number[],
  identity: StoreIdentity,
): Promise<ReadonlyMap<number, LastChange>> {
  const { changes: topic } = cluster.topics;
  const watermarks = await cluster.readWatermarks(topic);
  const found = await Promise.all(
    partitions.map(async (partition): Promise<readonly [number, LastChange][]> => {
      const { low = 0, high = 0 } = watermarks.get(partition) ?? {};
      for (let step = FIRST_STEP; high > low; step *= STEP_FACTOR) {
        const from = Math.max(low, high - step);
        const last = await readLast(cluster, { topic, partition, from, to: high });
        const key = last === undefined ? undefined : parseChangeKey(partition, last, identity);
        if (last !== undefined) return key === undefined ? [] : [[partition, { ...key, ...toCreated(last) }]];
        if (from === low) break;
      }
      return [];
    }),
  );
  return new Map(found.flat());
}

/** The relay sends the time of the change as that of the record. */
function toCreated(message: KafkaMessage): Pick<LastChange, 'createdMs'> {
  const { batchContext } = message as { readonly batchContext?: { readonly timestampType: number } };
  return batchContext?.timestampType === CREATE_TIME ? { createdMs: Number(message.timestamp) } : {};
}

/** Reads on from an offset to the last record before `to`. */
async function readLast(
  { raw }: KafkaCluster,
  { topic, partition, from, to }: { topic: string; partition: number; from: number; to: number },
): Promise<KafkaMessage | undefined> {
  let last: KafkaMessage | undefined;
  for (let next = from; next < to;) {
    const message = await raw.firstFrom(topic, partition, next);
    if (message === undefined) break;
    last = message;
    next = Number(message.offset) + 1;
  }
  return last;
}
