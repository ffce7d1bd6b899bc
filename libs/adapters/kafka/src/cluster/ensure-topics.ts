import { setTimeout as delay } from 'node:timers/promises';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import type { Admin, ITopicMetadata } from 'kafkajs';
import { MAX_MESSAGE_BYTES } from './message-size';
import { judgeTopicConfigs, readTopicConfigs } from './topic-config';
import type { TopicNames } from './topic-names';

/** The broker's default replication factor. */
const DEFAULT_REPLICATION = -1;
const LEADER_WAIT_MS = 30_000;
const SERVED_POLL_MS = 50;

export interface TopicShape {
  readonly partitions: number;
  /** Receives warnings about existing topics. */
  readonly onWarning: (text: string) => void;
}

/**
 * Creates missing topics, and checks existing ones.
 *
 * **Errors**: `InvalidSettingError` with the remedy when a topic has two purposes, its number of partitions is not
 * the store's, or its configuration loses records.
 */
export async function ensureTopics(admin: Admin, names: TopicNames, shape: TopicShape): Promise<void> {
  const wanted: readonly string[] = Object.values(names);
  const shared = wanted.find((topic, at) => wanted.indexOf(topic) !== at);
  if (shared !== undefined) {
    throw new InvalidSettingError(`Topic ${shared} is named for two purposes; each needs a topic of its own`);
  }
  const existing = new Set(await admin.listTopics());
  const missing = wanted.filter((topic) => !existing.has(topic));
  if (missing.length > 0) {
    // Another process may create them at the same time; the client treats that as success.
    await admin.createTopics({
      topics: missing.map((topic) => ({
        topic,
        numPartitions: shape.partitions,
        replicationFactor: DEFAULT_REPLICATION,
        configEntries: [{ name: 'max.message.bytes', value: String(MAX_MESSAGE_BYTES) }],
      })),
      timeout: LEADER_WAIT_MS,
      // The client fails when it queries a broker that does not know the topic yet.
      waitForLeaders: false,
    });
    for (const topic of missing) await untilServed(admin, topic);
  }
  const { topics } = await admin.fetchTopicMetadata({ topics: [...wanted] });
  checkPartitions(topics, wanted, shape.partitions);
  const configs = await readTopicConfigs(admin, wanted);
  if (configs === undefined)
    shape.onWarning(
      'Kafka does not describe the configuration of the topics to this user; it is not checked',
    );
  else judgeTopicConfigs(names, configs).forEach(shape.onWarning);
}

/**
 * A broker serves a partition shortly after the cluster has named it the leader. An earlier read makes the group join
 * again.
 */
async function untilServed(admin: Admin, topic: string): Promise<void> {
  const end = performance.now() + LEADER_WAIT_MS;
  for (;;) {
    try {
      await admin.fetchTopicOffsets(topic);
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      await delay(SERVED_POLL_MS);
    }
  }
}

function checkPartitions(
  topics: readonly ITopicMetadata[],
  wanted: readonly string[],
  partitions: number,
): void {
  for (const topic of wanted) {
    const found = topics.find(({ name }) => name === topic)?.partitions.length;
    if (found === undefined) throw new UnavailableError(`Kafka has no topic ${topic} yet`);
    if (found === partitions) continue;
    throw new InvalidSettingError(
      `Topic ${topic} has ${String(found)} partitions, but the store has ${String(partitions)}. ` +
        `Remove the topic when nothing in it is needed, so that it is created again; or choose another prefix or topic name`,
    );
  }
}
