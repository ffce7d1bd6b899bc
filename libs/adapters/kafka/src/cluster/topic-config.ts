import { InvalidSettingError } from '@stratalog/domain';
import kafkajs, { type Admin } from 'kafkajs';
import { FRAME_BYTES, MAX_MESSAGE_BYTES } from './message-size';
import type { TopicNames } from './topic-names';
import { translateKafkaError } from './translate-kafka-error';

/** The configuration of a topic that decides what it keeps. A number is -1 for "without a limit". */
export interface TopicConfig {
  readonly maxMessageBytes: number;
  readonly cleanupPolicy: string;
  readonly retentionMs: number;
  readonly retentionBytes: number;
}

/** Least `max.message.bytes`: a change without its value fits, with its metadata. */
const LEAST_MESSAGE_BYTES = 64 * 1024;
/** Kafka's own default. A writer or an index that was away for longer loses what it has not read. */
const WEEK_MS = 7 * 24 * 3_600_000;

/**
 * Reads the configuration of topics; `undefined` when the catalog may not describe them.
 *
 * **Errors**: errors of the client.
 */
export async function readTopicConfigs(
  admin: Pick<Admin, 'describeConfigs'>,
  topics: readonly string[],
): Promise<ReadonlyMap<string, TopicConfig> | undefined> {
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: topics.map((name) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name,
        configNames: ['max.message.bytes', 'cleanup.policy', 'retention.ms', 'retention.bytes'],
      })),
    });
    return new Map(
      resources.map(({ resourceName, configEntries }) => {
        const values = new Map(configEntries.map(({ configName, configValue }) => [configName, configValue]));
        const numberOf = (name: string): number => Number(values.get(name) ?? -1);
        return [
          resourceName,
          {
            maxMessageBytes: numberOf('max.message.bytes'),
            cleanupPolicy: values.get('cleanup.policy') ?? '',
            retentionMs: numberOf('retention.ms'),
            retentionBytes: numberOf('retention.bytes'),
          },
        ];
      }),
    );
  } catch (error) {
    if (translateKafkaError(error) instanceof InvalidSettingError) return undefined;
    throw error;
  }
}

/** Returns the size of the values that all of these topics take. **Units**: bytes. */
export function maxValueBytes(configs: Iterable<Pick<TopicConfig, 'maxMessageBytes'>>): number {
  const limits = [...configs].map(({ maxMessageBytes }) => maxMessageBytes);
  return Math.min(MAX_MESSAGE_BYTES, ...limits) - FRAME_BYTES;
}

/**
 * Judges the configuration of existing topics; returns warnings for operators.
 *
 * **Errors**: `InvalidSettingError` when a topic that the catalog reads is compacted, or takes no change at all.
 */
export function judgeTopicConfigs(
  names: TopicNames,
  configs: ReadonlyMap<string, TopicConfig>,
): readonly string[] {
  const readTopics: ReadonlySet<string> = new Set([names.proposals, names.changes]);
  return [...configs].flatMap(([topic, config]) => {
    checkSize(topic, config);
    const small = config.maxMessageBytes < MAX_MESSAGE_BYTES ? [describeSmall(topic, config)] : [];
    if (!readTopics.has(topic)) return small;
    checkPolicy(topic, config);
    return [...small, ...describeRetention(topic, config)];
  });
}

function checkSize(topic: string, { maxMessageBytes }: TopicConfig): void {
  if (maxMessageBytes >= LEAST_MESSAGE_BYTES) return;
  throw new InvalidSettingError(
    `Topic ${topic} takes records of ${String(maxMessageBytes)} bytes only; set its max.message.bytes to ${String(MAX_MESSAGE_BYTES)}, or ${String(LEAST_MESSAGE_BYTES)} at least`,
  );
}

function checkPolicy(topic: string, { cleanupPolicy }: TopicConfig): void {
  if (!cleanupPolicy.split(',').includes('compact')) return;
  throw new InvalidSettingError(
    `Topic ${topic} has the cleanup.policy ${cleanupPolicy}, by which Kafka removes records that the catalog has not read; set it to delete`,
  );
}

function describeSmall(topic: string, { maxMessageBytes }: TopicConfig): string {
  return `Topic ${topic} takes records of ${String(maxMessageBytes)} bytes (max.message.bytes); larger proposals are rejected, and changes are published without larger values`;
}

function describeRetention(topic: string, { retentionMs, retentionBytes }: TopicConfig): readonly string[] {
  const limits = [
    ...(retentionMs >= 0 && retentionMs < WEEK_MS ? [`after ${String(retentionMs)} ms (retention.ms)`] : []),
    ...(retentionBytes >= 0 ? [`beyond ${String(retentionBytes)} bytes (retention.bytes)`] : []),
  ];
  return limits.map(
    (limit) => `Topic ${topic} loses records ${limit}, also those that the catalog has not read yet`,
  );
}
