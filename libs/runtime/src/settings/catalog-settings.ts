import { delimiter, resolve } from 'node:path';
import { AUTH_MODES } from '@stratalog/http';
import { among, day, list, path, publicAddress, text, whether, within, type Settings } from './setting-kinds';

export const PROFILES = ['embedded', 'distributed'] as const;

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

const isOrigin = (origin: string): boolean =>
  /^https?:/.test(origin) && URL.parse(origin)?.origin === origin.toLowerCase();

export const PROCESS = {
  profile: {
    name: 'STRATALOG_PROFILE',
    help: 'Which servers the catalog uses: its own PostgreSQL, or existing PostgreSQL, Kafka and search engine servers.',
    fallback: 'embedded',
    ...among(PROFILES),
  },
  host: {
    name: 'STRATALOG_HOST',
    help: 'Address to listen on.',
    fallback: '127.0.0.1',
    allowed: 'a host name or address',
    schema: text.regex(/^[\w.:-]+$/),
  },
  port: {
    name: 'STRATALOG_PORT',
    help: 'Port to listen on; 0 picks a free one.',
    fallback: '8080',
    ...within(0, 65_535),
  },
  metricsPort: {
    name: 'STRATALOG_METRICS_PORT',
    help: 'Port of GET /metrics for Prometheus, without a token; 0 picks a free one. No metrics when unset.',
    ...within(0, 65_535),
  },
  drainMs: {
    name: 'STRATALOG_DRAIN_SECONDS',
    help: 'After SIGTERM: for this time a process says that it is not ready and still answers, so that whatever sends it requests goes elsewhere.',
    fallback: '0',
    distributedFallback: '2',
    ...within(0, 300, SECOND_MS),
  },
  baseUrl: {
    name: 'STRATALOG_BASE_URL',
    help: 'The address that clients use, when it is not that of this process.',
    allowed: 'http://host:port or https://host:port, without a password',
    schema: publicAddress,
  },
  corsOrigins: {
    name: 'STRATALOG_CORS_ORIGINS',
    help: 'Web origins whose pages may call the catalog from a browser, separated by ","; none unless set.',
    allowed: 'https://host,http://host:port',
    schema: list(isOrigin).transform((origins): readonly string[] =>
      origins.map((origin) => origin.toLowerCase()),
    ),
  },
  dataDir: {
    name: 'STRATALOG_DATA_DIR',
    help: 'Folder of all data of the catalog; relative to the working folder.',
    fallback: '.stratalog',
    allowed: 'a path',
    schema: text.min(1).transform((name) => resolve(name)),
  },
} as const satisfies Settings;

export const DATABASE = {
  databaseUrl: {
    name: 'DATABASE_URL',
    help: 'A PostgreSQL database to use instead of the embedded server.',
    allowed: 'postgres://user:password@host:port/database',
    schema: text.refine((url) => /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')),
    secret: true,
  },
  databasePoolSize: {
    name: 'DATABASE_POOL_SIZE',
    help: 'Most connections to PostgreSQL.',
    fallback: '12',
    ...within(4, 500),
  },
  serverHangMs: {
    name: 'STRATALOG_SERVER_HANG_MS',
    help: 'An embedded server that neither answers nor recovers for this time is ended by force and restarted.',
    fallback: '60000',
    ...within(1_000, 3_600_000),
  },
} as const satisfies Settings;

export const MODEL = {
  modelFolders: {
    name: 'STRATALOG_MODELS',
    help: `More model folders, separated by "${delimiter}".`,
    allowed: 'paths',
    schema: text.transform((names): readonly string[] =>
      names
        .split(delimiter)
        .filter((name) => name !== '')
        .map((name) => resolve(name)),
    ),
  },
  synonymsFile: {
    name: 'STRATALOG_SYNONYMS',
    help: 'File of words that stand for one another in searches, a line `cust = customer` for each, in place of the usual abbreviations.',
    ...path,
  },
  popularity: {
    strength: {
      name: 'STRATALOG_POPULARITY',
      help: 'How much the use of an entity counts among equally good matches of a search. Another value rebuilds the search index.',
      fallback: 'off',
      ...among(['off', 'weak', 'strong']),
    },
    everyMs: {
      name: 'STRATALOG_POPULARITY_EVERY_SECONDS',
      help: 'Time between the end of a measurement of the use of all entities and the next one.',
      fallback: '86400',
      ...within(1, 31_536_000, SECOND_MS),
    },
  },
} as const satisfies Settings;

export const METADATA_TESTS = {
  testResults: {
    mode: {
      name: 'STRATALOG_TEST_RESULTS',
      help: 'When metadata tests are evaluated and their results written: on request only, or also after each change that matters and as time passes.',
      fallback: 'on-request',
      ...among(['on-request', 'continuous']),
    },
    everyMs: {
      name: 'STRATALOG_TEST_RESULTS_EVERY_SECONDS',
      help: 'Time between the end of an evaluation of all metadata tests for all entities and the next one; only when STRATALOG_TEST_RESULTS is continuous.',
      fallback: '86400',
      ...within(1, 31_536_000, SECOND_MS),
    },
  },
} as const satisfies Settings;

export const ACCEPTED = {
  unknownAspects: {
    name: 'STRATALOG_UNKNOWN_ASPECTS',
    help: 'What happens to an asynchronous proposal whose aspect or entity type the model does not know: kept as a dead letter until a model knows it, or dropped.',
    fallback: 'dead-letter',
    ...among(['dead-letter', 'drop']),
  },
  urnExistence: {
    name: 'STRATALOG_URN_EXISTENCE',
    help: 'What happens to a proposal with the urn of an entity that the model expects to exist and that does not: written, written with a warning, or rejected.',
    fallback: 'off',
    ...among(['off', 'warn', 'reject']),
  },
  isStrict: {
    name: 'STRATALOG_STRICT',
    help: 'Whether requests with unknown fields, members or parameters are rejected, instead of reported in X-Stratalog-Warnings.',
    fallback: 'false',
    ...whether('true', ['true', 'false']),
  },
  sdkWrites: {
    name: 'STRATALOG_SDK_WRITES',
    help: 'By which calls the Python SDK writes, which chooses by the version in GET /config: those of OpenAPI, or those of Rest.li.',
    fallback: 'openapi',
    ...among(['openapi', 'restli']),
  },
  acceptModel: {
    name: 'STRATALOG_ACCEPT_MODEL',
    help: 'Starts although this model breaks with the model of the stored data; the rejection shows the value to set.',
    allowed: 'the first 12 digits of a model fingerprint',
    schema: text.regex(/^[0-9a-f]{12}$/),
  },
} as const satisfies Settings;

export const ACCESS = {
  auth: {
    name: 'STRATALOG_AUTH',
    help: 'Which calls need a token: all, only administrative ones, or none; all in the distributed profile unless set. On a host other than loopback it must be all, unless STRATALOG_INSECURE_HOST allows less.',
    fallback: 'operations',
    distributedFallback: 'all',
    ...among(AUTH_MODES),
  },
  token: {
    name: 'STRATALOG_TOKEN',
    help: "The operator's token. An embedded catalog without it makes one at its first start and keeps it in the data folder; a distributed one needs it, the same for every app.",
    allowed: 'at least 16 characters without blanks',
    schema: text.regex(/^[\x21-\x7e]{16,1000}$/),
    secret: true,
  },
  insecureHost: {
    name: 'STRATALOG_INSECURE_HOST',
    help: 'The host for which STRATALOG_AUTH may be less than all; must equal STRATALOG_HOST.',
    allowed: 'the value of STRATALOG_HOST',
    schema: text,
  },
} as const satisfies Settings;

export const LIMITS = {
  partitions: {
    name: 'STRATALOG_PARTITIONS',
    help: 'Partitions of a new store; an existing store keeps its number.',
    fallback: '16',
    ...within(1, 1_024),
  },
  maxBodyBytes: {
    name: 'STRATALOG_MAX_BODY_BYTES',
    help: 'Larger request bodies are rejected with 413.',
    fallback: '16777216',
    ...within(1_024, 134_217_728),
  },
  commitTimeoutMs: {
    name: 'STRATALOG_COMMIT_TIMEOUT_MS',
    help: 'How long a write waits for the log, and a synchronous one for its commit, before a 503.',
    fallback: '10000',
    ...within(10, 600_000),
  },
  positionTimeoutMs: {
    name: 'STRATALOG_POSITION_TIMEOUT_MS',
    help: 'How long a search waits for its position, before a 503.',
    fallback: '10000',
    ...within(10, 600_000),
  },
  queryTimeoutMs: {
    name: 'STRATALOG_QUERY_TIMEOUT_MS',
    help: 'How long one query to the store or an index may take, including the wait for a connection, before a 503.',
    fallback: '20000',
    ...within(10, 50_000),
  },
  graphqlMaxReads: {
    name: 'STRATALOG_GRAPHQL_MAX_READS',
    help: 'Entities that one GraphQL text may read from the store; a query of an index counts as 10.',
    fallback: '20000',
    ...within(100, 10_000_000),
  },
} as const satisfies Settings;

export const RETENTION = {
  retention: {
    maxVersions: {
      name: 'STRATALOG_RETENTION_MAX_VERSIONS',
      help: 'Without a stored policy: the number of newest versions of an aspect that stay; 0 sets no such limit.',
      fallback: '100',
      ...within(0, 2_147_483_647),
    },
    maxAgeMs: {
      name: 'STRATALOG_RETENTION_MAX_AGE_SECONDS',
      help: 'Without a stored policy: versions stay for this time, also beyond the number; 0 sets no such limit. Without either limit all stay.',
      fallback: '7776000',
      ...within(0, 2_147_483_647, SECOND_MS),
    },
    everyMs: {
      name: 'STRATALOG_RETENTION_EVERY_SECONDS',
      help: 'Pause between two passes of retention over the whole store.',
      fallback: '3600',
      ...within(1, 604_800, SECOND_MS),
    },
  },
  taskKeepMs: {
    name: 'STRATALOG_TASK_KEEP_DAYS',
    help: 'How long tasks that have ended are kept.',
    fallback: '30',
    ...within(1, 3_650, DAY_MS),
  },
  auditKeepMs: {
    name: 'STRATALOG_AUDIT_KEEP_DAYS',
    help: 'How long audit records are kept, and dead letters that were replayed or discarded.',
    fallback: '365',
    ...within(1, 36_500, DAY_MS),
  },
} as const satisfies Settings;

export const CLOCK = {
  maxClockStepMs: {
    name: 'STRATALOG_MAX_CLOCK_STEP_SECONDS',
    help: "Writes are rejected while the clock differs by more from the elapsed time, from the database server's clock, or lies that far behind the last stamp.",
    fallback: '3600',
    ...within(10, 31_536_000, SECOND_MS),
  },
  maxIdleMs: {
    name: 'STRATALOG_MAX_IDLE_DAYS',
    help: 'Writes are rejected when the clock at the start is later than the last use of the store by more than this.',
    fallback: '30',
    ...within(1, 36_500, DAY_MS),
  },
  acceptClock: {
    name: 'STRATALOG_ACCEPT_CLOCK',
    help: 'The day (UTC) that confirms the clock of this start: the store may have been idle for longer, and stamps in the future are set to the present.',
    allowed: 'a day as YYYY-MM-DD',
    schema: day,
  },
} as const satisfies Settings;

const name = { allowed: 'a lower-case name', schema: text.regex(/^[a-z][a-z0-9]*$/) };

export const NAMES_AND_LOGS = {
  indexCheckMs: {
    name: 'STRATALOG_INDEX_CHECK_SECONDS',
    help: 'Pause between two comparisons of each index with the store; there is one at the start, too.',
    fallback: '3600',
    ...within(1, 604_800, SECOND_MS),
  },
  vendor: {
    name: 'STRATALOG_VENDOR',
    help: 'The vendor part of record names; choose it before the first write.',
    fallback: 'linkedin',
    ...name,
  },
  urnNamespace: {
    name: 'STRATALOG_URN_NAMESPACE',
    help: 'The namespace part of urns; choose it before the first write.',
    fallback: 'li',
    ...name,
  },
  logLevel: {
    name: 'STRATALOG_LOG_LEVEL',
    help: 'The least severe messages that are logged on standard error, as JSON lines unless it is a terminal.',
    fallback: 'info',
    ...among(['fatal', 'error', 'warn', 'info', 'debug', 'silent']),
  },
  accessLog: {
    name: 'STRATALOG_ACCESS_LOG',
    help: 'Whether each call is logged after its answer, at the level info; at debug it always is.',
    fallback: 'off',
    ...whether('on', ['off', 'on']),
  },
} as const satisfies Settings;
