import { InvalidSettingError } from '@stratalog/domain';
import type { ACCESS, DATABASE } from './catalog-settings';
import {
  among,
  list,
  text,
  webAddress,
  whether,
  within,
  type Settings,
  type ValuesOf,
} from './setting-kinds';

/** The apps that serve HTTP behind the proxy. */
export const APPS = ['ingest', 'query', 'graph', 'admin'] as const;
export type App = (typeof APPS)[number];

const isAddress = (url: string): boolean => webAddress.safeParse(url).success;

const topic = {
  allowed: 'letters, digits, ".", "_" and "-"',
  schema: text.regex(/^(?!\.{1,2}$)[\w.-]{1,249}$/),
};

export const KAFKA = {
  brokers: {
    name: 'KAFKA_BROKERS',
    help: 'Brokers of the distributed profile, separated by ",".',
    allowed: 'host:port,host:port',
    schema: list((broker) => /^[\w.[\]:-]+:\d{1,5}$/.test(broker)),
  },
  tls: {
    name: 'KAFKA_TLS',
    help: 'Whether connections to the brokers are encrypted.',
    fallback: 'false',
    ...whether('true', ['true', 'false']),
  },
  sasl: {
    mechanism: {
      name: 'KAFKA_SASL_MECHANISM',
      help: 'How the catalog authenticates at the brokers; needs user and password.',
      ...among(['plain', 'scram-sha-256', 'scram-sha-512']),
    },
    username: { name: 'KAFKA_USERNAME', help: 'The user for SASL.', allowed: 'a name', schema: text.min(1) },
    password: {
      name: 'KAFKA_PASSWORD',
      help: 'The password for SASL.',
      allowed: 'a password',
      schema: text.min(1),
      secret: true,
    },
  },
  topicPrefix: {
    name: 'KAFKA_TOPIC_PREFIX',
    help: 'Prefix of the default name of every topic.',
    allowed: 'letters, digits, ".", "_" and "-"',
    schema: text.regex(/^[\w.-]{1,100}$/),
  },
  topics: {
    proposals: {
      name: 'KAFKA_PROPOSAL_TOPIC',
      help: 'The whole name of the topic of proposals, instead of prefix and default name.',
      ...topic,
    },
    failedProposals: {
      name: 'KAFKA_FAILED_PROPOSAL_TOPIC',
      help: 'The whole name of the topic of dead letters, instead of prefix and default name.',
      ...topic,
    },
    changes: {
      name: 'KAFKA_CHANGE_TOPIC',
      help: 'The whole name of the topic of changes, instead of prefix and default name.',
      ...topic,
    },
    timeseriesChanges: {
      name: 'KAFKA_TIMESERIES_CHANGE_TOPIC',
      help: 'The whole name of the topic of timeseries values, instead of prefix and default name.',
      ...topic,
    },
  },
  changeFormat: {
    name: 'KAFKA_CHANGE_FORMAT',
    help: 'The format of published changes.',
    fallback: 'json',
    ...among(['json', 'avro']),
  },
  schemaRegistryUrl: {
    name: 'KAFKA_SCHEMA_REGISTRY_URL',
    help: "The schema registry of producers that write Avro, instead of the catalog's own.",
    allowed: 'http://host:port or https://host:port, with user:password@ if needed',
    schema: webAddress,
    secret: true,
  },
} as const satisfies Settings;

export const SEARCH_ENGINE = {
  url: {
    name: 'ELASTICSEARCH_URL',
    help: 'The search engine of the distributed profile: Elasticsearch or OpenSearch.',
    allowed: 'http://host:port or https://host:port',
    schema: webAddress,
    secret: true,
  },
  username: {
    name: 'ELASTICSEARCH_USERNAME',
    help: 'The user for the search engine.',
    allowed: 'a name',
    schema: text.min(1),
  },
  password: {
    name: 'ELASTICSEARCH_PASSWORD',
    help: 'The password for the search engine.',
    allowed: 'a password',
    schema: text.min(1),
    secret: true,
  },
  indexPrefix: {
    name: 'STRATALOG_INDEX_PREFIX',
    help: 'Prefix of the name of every index in the search engine.',
    fallback: 'stratalog',
    allowed: 'lower-case letters, digits and "_"',
    schema: text.regex(/^[a-z][a-z0-9_]{0,60}$/),
  },
  shards: {
    name: 'STRATALOG_SEARCH_SHARDS',
    help: 'Number of shards of a new search index: so many nodes of the search engine share one search. The live index keeps its own until it is rebuilt.',
    fallback: '1',
    ...within(1, 64),
  },
  slices: {
    name: 'STRATALOG_SEARCH_SLICES',
    help: 'Number of slices of a shard of a new search index, which processors of OpenSearch search at the same time for facets. Without it the engine decides. Needs OpenSearch 2.17 or newer; Elasticsearch always decides itself.',
    ...within(1, 64),
  },
} as const satisfies Settings;

function urlsOf(app: App) {
  return {
    name: `STRATALOG_${app.toUpperCase()}_URLS`,
    help: `Addresses of the ${app} app's instances, separated by ","; for the proxy.`,
    allowed: 'http://host:port,http://host:port',
    schema: list(isAddress),
  };
}

export const PROXY = {
  appUrls: {
    ingest: urlsOf('ingest'),
    query: urlsOf('query'),
    graph: urlsOf('graph'),
    admin: urlsOf('admin'),
  },
} as const satisfies Settings;

type Given = ValuesOf<typeof KAFKA>;
type Sasl = Required<Given['sasl']>;

export type KafkaSettings = Omit<Given, 'brokers' | 'sasl' | 'topicPrefix'> & {
  readonly brokers: readonly string[];
  readonly sasl?: Sasl;
  readonly topicPrefix: string;
};

export type SearchEngineSettings = ValuesOf<typeof SEARCH_ENGINE> & { readonly url: string };

interface DistributedSettings {
  readonly kafka: KafkaSettings;
  readonly searchEngine: SearchEngineSettings;
}

/**
 * Resolves the settings of the servers of the distributed profile.
 *
 * **Errors**: `InvalidSettingError` that names a missing setting.
 */
export function resolveDistributed({
  database,
  access,
  kafka,
  searchEngine,
}: {
  readonly database: ValuesOf<typeof DATABASE>;
  readonly access: ValuesOf<typeof ACCESS>;
  readonly kafka: ValuesOf<typeof KAFKA>;
  readonly searchEngine: ValuesOf<typeof SEARCH_ENGINE>;
}): DistributedSettings {
  const byProfile = 'STRATALOG_PROFILE=distributed';
  required(database.databaseUrl, 'DATABASE_URL', byProfile);
  // A token that each app made for itself would differ on every machine.
  required(access.token, 'STRATALOG_TOKEN', byProfile, ', the same for every app');
  const { brokers, topicPrefix = '', sasl, ...others } = kafka;
  const { mechanism, username, password } = sasl;
  const bySasl = 'KAFKA_SASL_MECHANISM';
  const url = required(searchEngine.url, 'ELASTICSEARCH_URL', byProfile);
  if (searchEngine.username !== undefined)
    required(searchEngine.password, 'ELASTICSEARCH_PASSWORD', 'ELASTICSEARCH_USERNAME');
  return {
    kafka: {
      ...others,
      brokers: required(brokers, 'KAFKA_BROKERS', byProfile),
      topicPrefix,
      ...(mechanism === undefined
        ? {}
        : {
            sasl: {
              mechanism,
              username: required(username, 'KAFKA_USERNAME', bySasl),
              password: required(password, 'KAFKA_PASSWORD', bySasl),
            },
          }),
    },
    searchEngine: { ...searchEngine, url },
  };
}

function required<T>(value: T | undefined, name: string, why: string, more = ''): T {
  if (value === undefined) throw new InvalidSettingError(`${name} is not set; ${why} needs it${more}`);
  return value;
}
