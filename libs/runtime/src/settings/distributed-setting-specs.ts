import { among, text, webAddress, within, type SettingSpec } from './setting-kinds';

export const CHANGE_FORMATS = ['json', 'avro'] as const;
export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** The topics of a catalog, each with the setting that overrides its default name. */
export const TOPIC_SETTINGS = {
  proposals: 'KAFKA_PROPOSAL_TOPIC',
  failedProposals: 'KAFKA_FAILED_PROPOSAL_TOPIC',
  changes: 'KAFKA_CHANGE_TOPIC',
  timeseriesChanges: 'KAFKA_TIMESERIES_CHANGE_TOPIC',
} as const;
export type TopicPurpose = keyof typeof TOPIC_SETTINGS;

/** The apps that serve HTTP behind the proxy. */
export const APPS = ['ingest', 'query', 'graph', 'admin'] as const;
export type App = (typeof APPS)[number];

/** Returns the setting that names an app's instances. */
export function urlsSetting(app: App): string {
  return `STRATALOG_${app.toUpperCase()}_URLS`;
}

/** The settings of the distributed profile for its servers and apps. */
export const DISTRIBUTED_SETTINGS: readonly SettingSpec[] = [
  {
    name: 'KAFKA_BROKERS',
    help: 'Brokers of the distributed profile, separated by ",".',
    allowed: 'host:port,host:port',
    schema: text.regex(/^[\w.[\]:-]+:\d{1,5}(,[\w.[\]:-]+:\d{1,5})*$/),
  },
  {
    name: 'KAFKA_TLS',
    help: 'Whether connections to the brokers are encrypted.',
    fallback: 'false',
    ...among(['true', 'false']),
  },
  {
    name: 'KAFKA_SASL_MECHANISM',
    help: 'How the catalog authenticates at the brokers; needs user and password.',
    ...among(SASL_MECHANISMS),
  },
  { name: 'KAFKA_USERNAME', help: 'The user for SASL.', allowed: 'a name', schema: text.min(1) },
  {
    name: 'KAFKA_PASSWORD',
    help: 'The password for SASL.',
    allowed: 'a password',
    schema: text.min(1),
    secret: true,
  },
  {
    name: 'KAFKA_TOPIC_PREFIX',
    help: 'Prefix of the default name of every topic.',
    allowed: 'letters, digits, ".", "_" and "-"',
    schema: text.regex(/^[\w.-]{1,100}$/),
  },
  ...(
    [
      ['proposals', 'of proposals'],
      ['failedProposals', 'of dead letters'],
      ['changes', 'of changes'],
      ['timeseriesChanges', 'of timeseries values'],
    ] as const
  ).map(([purpose, what]) => ({
    name: TOPIC_SETTINGS[purpose],
    help: `The whole name of the topic ${what}, instead of prefix and default name.`,
    allowed: 'letters, digits, ".", "_" and "-"',
    schema: text.regex(/^(?!\.{1,2}$)[\w.-]{1,249}$/),
  })),
  {
    name: 'KAFKA_CHANGE_FORMAT',
    help: 'The format of published changes.',
    fallback: 'json',
    ...among(CHANGE_FORMATS),
  },
  {
    name: 'KAFKA_SCHEMA_REGISTRY_URL',
    help: "The schema registry of producers that write Avro, instead of the catalog's own.",
    allowed: 'http://host:port or https://host:port, with user:password@ if needed',
    schema: webAddress,
    secret: true,
  },
  {
    name: 'ELASTICSEARCH_URL',
    help: 'The search engine of the distributed profile: Elasticsearch or OpenSearch.',
    allowed: 'http://host:port or https://host:port',
    schema: webAddress,
    secret: true,
  },
  {
    name: 'ELASTICSEARCH_USERNAME',
    help: 'The user for the search engine.',
    allowed: 'a name',
    schema: text.min(1),
  },
  {
    name: 'ELASTICSEARCH_PASSWORD',
    help: 'The password for the search engine.',
    allowed: 'a password',
    schema: text.min(1),
    secret: true,
  },
  {
    name: 'STRATALOG_INDEX_PREFIX',
    help: 'Prefix of the name of every index in the search engine.',
    fallback: 'stratalog',
    allowed: 'lower-case letters, digits and "_"',
    schema: text.regex(/^[a-z][a-z0-9_]{0,60}$/),
  },
  {
    name: 'STRATALOG_SEARCH_SHARDS',
    help: 'Number of shards of a new search index: so many nodes of the search engine share one search. The live index keeps its own until it is rebuilt.',
    fallback: '1',
    ...within(1, 64),
  },
  {
    name: 'STRATALOG_SEARCH_SLICES',
    help: 'Number of slices of a shard of a new search index, which processors of OpenSearch search at the same time for facets. Without it the engine decides. Needs OpenSearch 2.17 or newer; Elasticsearch always decides itself.',
    ...within(1, 64),
  },
  ...APPS.map((app) => ({
    name: urlsSetting(app),
    help: `Addresses of the ${app} app's instances, separated by ","; for the proxy.`,
    allowed: 'http://host:port,http://host:port',
    schema: text.refine((urls) => urls.split(',').every((url) => webAddress.safeParse(url).success)),
  })),
];
