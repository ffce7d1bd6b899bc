import { InvalidSettingError } from '@stratalog/model';
import {
  TOPIC_SETTINGS,
  type CHANGE_FORMATS,
  type SASL_MECHANISMS,
  type TopicPurpose,
} from './distributed-setting-specs';
import type { GivenSettings } from './setting-kinds';

export interface KafkaSettings {
  /** `host:port` */
  readonly brokers: readonly string[];
  readonly tls: boolean;
  readonly sasl?: {
    readonly mechanism: (typeof SASL_MECHANISMS)[number];
    readonly username: string;
    readonly password: string;
  };
  readonly topicPrefix: string;
  /** Full names of topics, where they are not the defaults. */
  readonly topics: Readonly<Partial<Record<TopicPurpose, string>>>;
  readonly changeFormat: (typeof CHANGE_FORMATS)[number];
  /** Replaces the catalog's own registry. */
  readonly schemaRegistryUrl?: string;
}

export interface SearchEngineSettings {
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  readonly indexPrefix: string;
  readonly shards: number;
  /** Number of slices of a shard, which processors search at the same time; absent: the engine decides. */
  readonly slices?: number;
}

interface DistributedSettings {
  readonly kafka: KafkaSettings;
  readonly searchEngine: SearchEngineSettings;
}

/**
 * Resolves the settings of the servers of the distributed profile.
 *
 * **Errors**: `InvalidSettingError` that names a missing setting.
 */
export function resolveDistributed(given: GivenSettings): DistributedSettings {
  const needed = (name: string, why: string, more = ''): string => {
    const value = given.get(name);
    if (value === undefined) throw new InvalidSettingError(`${name} is not set; ${why} needs it${more}`);
    return value;
  };
  const byProfile = 'STRATALOG_PROFILE=distributed';
  needed('DATABASE_URL', byProfile);
  // A token that each app made for itself would differ on every machine.
  needed('STRATALOG_TOKEN', byProfile, ', the same for every app');
  const mechanism = given.get('KAFKA_SASL_MECHANISM') as (typeof SASL_MECHANISMS)[number] | undefined;
  const username = given.get('ELASTICSEARCH_USERNAME');
  const slices = given.get('STRATALOG_SEARCH_SLICES');
  const schemaRegistryUrl = given.get('KAFKA_SCHEMA_REGISTRY_URL');
  return {
    kafka: {
      brokers: needed('KAFKA_BROKERS', byProfile).split(','),
      tls: given.get('KAFKA_TLS') === 'true',
      topicPrefix: given.get('KAFKA_TOPIC_PREFIX') ?? '',
      topics: readTopics(given),
      changeFormat: needed('KAFKA_CHANGE_FORMAT', byProfile) as (typeof CHANGE_FORMATS)[number],
      ...(schemaRegistryUrl === undefined ? {} : { schemaRegistryUrl }),
      ...(mechanism === undefined
        ? {}
        : {
            sasl: {
              mechanism,
              username: needed('KAFKA_USERNAME', 'KAFKA_SASL_MECHANISM'),
              password: needed('KAFKA_PASSWORD', 'KAFKA_SASL_MECHANISM'),
            },
          }),
    },
    searchEngine: {
      url: needed('ELASTICSEARCH_URL', byProfile),
      indexPrefix: needed('STRATALOG_INDEX_PREFIX', byProfile),
      shards: Number(needed('STRATALOG_SEARCH_SHARDS', byProfile)),
      ...(slices === undefined ? {} : { slices: Number(slices) }),
      ...(username === undefined
        ? {}
        : { username, password: needed('ELASTICSEARCH_PASSWORD', 'ELASTICSEARCH_USERNAME') }),
    },
  };
}

function readTopics(given: GivenSettings): KafkaSettings['topics'] {
  const topics: Partial<Record<TopicPurpose, string>> = {};
  for (const [purpose, name] of Object.entries(TOPIC_SETTINGS)) {
    const topic = given.get(name);
    if (topic !== undefined) topics[purpose as TopicPurpose] = topic;
  }
  return topics;
}
