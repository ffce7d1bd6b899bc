import { describe, expect, it } from '@jest/globals';
import { judgeTopicConfigs, maxValueBytes, type TopicConfig } from './topic-config';
import { buildTopicNames } from './topic-names';

const NAMES = buildTopicNames();
const OWN: TopicConfig = {
  maxMessageBytes: 32 * 1024 * 1024,
  cleanupPolicy: 'delete',
  retentionMs: 7 * 24 * 3_600_000,
  retentionBytes: -1,
};

const judge = (topic: string, config: Partial<TopicConfig>): readonly string[] =>
  judgeTopicConfigs(NAMES, new Map([[topic, { ...OWN, ...config }]]));

describe('An existing topic', () => {
  it('raises no warning with the configuration that the catalog gives its own', () => {
    for (const topic of Object.values<string>({ ...NAMES })) expect(judge(topic, {})).toEqual([]);
  });

  it.each(['compact', 'compact,delete'])(
    'an existing topic of proposals or changes must not be compacted: %s',
    (cleanupPolicy) => {
      for (const topic of [NAMES.proposals, NAMES.changes])
        expect(() => judge(topic, { cleanupPolicy })).toThrow(
          `Topic ${topic} has the cleanup.policy ${cleanupPolicy}, by which Kafka removes records that the catalog has not read; set it to delete`,
        );
      expect(judge(NAMES.timeseriesChanges, { cleanupPolicy })).toEqual([]);
    },
  );

  it('an existing topic that takes almost nothing stops the start', () => {
    expect(() => judge(NAMES.changes, { maxMessageBytes: 1_000 })).toThrow(
      'takes records of 1000 bytes only; set its max.message.bytes to 33554432, or 65536 at least',
    );
  });

  it.each([
    [{ maxMessageBytes: 1_048_588 }, 'takes records of 1048588 bytes (max.message.bytes)'],
    [{ retentionMs: 60_000 }, 'loses records after 60000 ms (retention.ms)'],
    [{ retentionBytes: 1_000_000 }, 'loses records beyond 1000000 bytes (retention.bytes)'],
  ])('raises a warning with %j', (config, words) => {
    expect(judge(NAMES.proposals, config)).toEqual([expect.stringContaining(words)]);
  });

  it('limits the values of what is published to it', () => {
    expect(maxValueBytes([OWN, { maxMessageBytes: 1_000_000 }])).toBe(1_000_000 - 16 * 1024);
    expect(maxValueBytes([])).toBe(32 * 1024 * 1024 - 16 * 1024);
  });
});
