import { delimiter } from 'node:path';
import { AUTH_MODES } from '@stratalog/http';
import { ACCESS_SETTINGS } from './access-setting-specs';
import { DISTRIBUTED_SETTINGS } from './distributed-setting-specs';
import { among, day, publicAddress, text, within, type SettingSpec } from './setting-kinds';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
export const PROFILES = ['embedded', 'distributed'] as const;

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.parse(text)?.origin === text.toLowerCase();

export const UNKNOWN_ASPECTS = ['dead-letter', 'drop'] as const;
export const POPULARITY = ['off', 'weak', 'strong'] as const;
export const TEST_RESULTS = ['on-request', 'continuous'] as const;
export const URN_EXISTENCE = ['off', 'warn', 'reject'] as const;

/** Every setting, in the order of the help and of the settings page. */
export const SETTINGS: readonly SettingSpec[] = [
  {
    name: 'STRATALOG_PROFILE',
    help: 'Which servers the catalog uses: its own PostgreSQL, or existing PostgreSQL, Kafka and search engine servers.',
    fallback: 'embedded',
    ...among(PROFILES),
  },
  {
    name: 'STRATALOG_HOST',
    help: 'Address to listen on.',
    fallback: '127.0.0.1',
    allowed: 'a host name or address',
    schema: text.regex(/^[\w.:-]+$/),
  },
  {
    name: 'STRATALOG_PORT',
    help: 'Port to listen on; 0 picks a free one.',
    fallback: '8080',
    ...within(0, 65_535),
  },
  {
    name: 'STRATALOG_METRICS_PORT',
    help: 'Port of GET /metrics for Prometheus, without a token; 0 picks a free one. No metrics when unset.',
    ...within(0, 65_535),
  },
  {
    name: 'STRATALOG_BASE_URL',
    help: 'The address that clients use, when it is not that of this process.',
    allowed: 'http://host:port or https://host:port, without a password',
    schema: publicAddress,
  },
  {
    name: 'STRATALOG_CORS_ORIGINS',
    help: 'Web origins whose pages may call the catalog from a browser, separated by ","; none unless set.',
    allowed: 'https://host,http://host:port',
    schema: text.refine((origins) => origins.split(',').every(isOrigin)),
  },
  {
    name: 'STRATALOG_DATA_DIR',
    help: 'Folder of all data of the catalog; relative to the working folder.',
    fallback: '.stratalog',
    allowed: 'a path',
    schema: text.min(1),
  },
  {
    name: 'DATABASE_URL',
    help: 'A PostgreSQL database to use instead of the embedded server.',
    allowed: 'postgres://user:password@host:port/database',
    schema: text.refine((url) => /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')),
    secret: true,
  },
  {
    name: 'DATABASE_POOL_SIZE',
    help: 'Most connections to PostgreSQL.',
    fallback: '12',
    ...within(4, 500),
  },
  {
    name: 'STRATALOG_SERVER_HANG_MS',
    help: 'An embedded server that neither answers nor recovers for this time is ended by force and restarted.',
    fallback: '60000',
    ...within(1_000, 3_600_000),
  },
  {
    name: 'STRATALOG_MODELS',
    help: `More model folders, separated by "${delimiter}".`,
    allowed: 'paths',
    schema: text,
  },
  {
    name: 'STRATALOG_SYNONYMS',
    help: 'File of words that stand for one another in searches, a line `cust = customer` for each, in place of the usual abbreviations.',
    allowed: 'a path',
    schema: text,
  },
  {
    name: 'STRATALOG_POPULARITY',
    help: 'How much the use of an entity counts among equally good matches of a search. Another value rebuilds the search index.',
    fallback: 'off',
    ...among(POPULARITY),
  },
  {
    name: 'STRATALOG_POPULARITY_EVERY_SECONDS',
    help: 'Time between the end of a measurement of the use of all entities and the next one.',
    fallback: '86400',
    ...within(1, 31_536_000),
  },
  {
    name: 'STRATALOG_TEST_RESULTS',
    help: 'When metadata tests are evaluated and their results written: on request only, or also after each change that matters and as time passes.',
    fallback: 'on-request',
    ...among(TEST_RESULTS),
  },
  {
    name: 'STRATALOG_TEST_RESULTS_EVERY_SECONDS',
    help: 'Time between the end of an evaluation of all metadata tests for all entities and the next one; only when STRATALOG_TEST_RESULTS is continuous.',
    fallback: '86400',
    ...within(1, 31_536_000),
  },
  ...DISTRIBUTED_SETTINGS,
  {
    name: 'STRATALOG_UNKNOWN_ASPECTS',
    help: 'What happens to an asynchronous proposal whose aspect or entity type the model does not know: kept as a dead letter until a model knows it, or dropped.',
    fallback: 'dead-letter',
    ...among(UNKNOWN_ASPECTS),
  },
  {
    name: 'STRATALOG_URN_EXISTENCE',
    help: 'What happens to a proposal with the urn of an entity that the model expects to exist and that does not: written, written with a warning, or rejected.',
    fallback: 'off',
    ...among(URN_EXISTENCE),
  },
  {
    name: 'STRATALOG_STRICT',
    help: 'Whether requests with unknown fields, members or parameters are rejected, instead of reported in X-Stratalog-Warnings.',
    fallback: 'false',
    ...among(['true', 'false']),
  },
  {
    name: 'STRATALOG_ACCEPT_MODEL',
    help: 'Starts although this model breaks with the model of the stored data; the rejection shows the value to set.',
    allowed: 'the first 12 digits of a model fingerprint',
    schema: text.regex(/^[0-9a-f]{12}$/),
  },
  {
    name: 'STRATALOG_AUTH',
    help: 'Which calls need a token: all, only administrative ones, or none; all in the distributed profile unless set. On a host other than loopback it must be all, unless STRATALOG_INSECURE_HOST allows less.',
    fallback: 'operations',
    distributedFallback: 'all',
    ...among(AUTH_MODES),
  },
  {
    name: 'STRATALOG_TOKEN',
    help: "The operator's token. An embedded catalog without it makes one at its first start and keeps it in the data folder; a distributed one needs it, the same for every app.",
    allowed: 'at least 16 characters without blanks',
    schema: text.regex(/^[\x21-\x7e]{16,1000}$/),
    secret: true,
  },
  {
    name: 'STRATALOG_INSECURE_HOST',
    help: 'The host for which STRATALOG_AUTH may be less than all; must equal STRATALOG_HOST.',
    allowed: 'the value of STRATALOG_HOST',
    schema: text,
  },
  ...ACCESS_SETTINGS,
  {
    name: 'STRATALOG_PARTITIONS',
    help: 'Partitions of a new store; an existing store keeps its number.',
    fallback: '16',
    ...within(1, 1_024),
  },
  {
    name: 'STRATALOG_MAX_BODY_BYTES',
    help: 'Larger request bodies are rejected with 413.',
    fallback: '16777216',
    ...within(1_024, 134_217_728),
  },
  {
    name: 'STRATALOG_COMMIT_TIMEOUT_MS',
    help: 'How long a write waits for the log, and a synchronous one for its commit, before a 503.',
    fallback: '10000',
    ...within(10, 600_000),
  },
  {
    name: 'STRATALOG_POSITION_TIMEOUT_MS',
    help: 'How long a search waits for its position, before a 503.',
    fallback: '10000',
    ...within(10, 600_000),
  },
  {
    name: 'STRATALOG_QUERY_TIMEOUT_MS',
    help: 'How long one query to the store or an index may take, including the wait for a connection, before a 503.',
    fallback: '20000',
    ...within(10, 50_000),
  },
  {
    name: 'STRATALOG_RETENTION_MAX_VERSIONS',
    help: 'Without a stored policy: the number of newest versions of an aspect that stay; 0 sets no such limit.',
    fallback: '100',
    ...within(0, 2_147_483_647),
  },
  {
    name: 'STRATALOG_RETENTION_MAX_AGE_SECONDS',
    help: 'Without a stored policy: versions stay for this time, also beyond the number; 0 sets no such limit. Without either limit all stay.',
    fallback: '7776000',
    ...within(0, 2_147_483_647),
  },
  {
    name: 'STRATALOG_RETENTION_EVERY_SECONDS',
    help: 'Pause between two passes of retention over the whole store.',
    fallback: '3600',
    ...within(1, 604_800),
  },
  {
    name: 'STRATALOG_TASK_KEEP_DAYS',
    help: 'How long tasks that have ended are kept.',
    fallback: '30',
    ...within(1, 3_650),
  },
  {
    name: 'STRATALOG_AUDIT_KEEP_DAYS',
    help: 'How long audit records are kept.',
    fallback: '365',
    ...within(1, 36_500),
  },
  {
    name: 'STRATALOG_MAX_CLOCK_STEP_SECONDS',
    help: "Writes are rejected while the clock differs by more from the elapsed time, from the database server's clock, or lies that far behind the last stamp.",
    fallback: '3600',
    ...within(10, 31_536_000),
  },
  {
    name: 'STRATALOG_MAX_IDLE_DAYS',
    help: 'Writes are rejected when the clock at the start is later than the last use of the store by more than this.',
    fallback: '30',
    ...within(1, 36_500),
  },
  {
    name: 'STRATALOG_ACCEPT_CLOCK',
    help: 'The day (UTC) that confirms the clock of this start: the store may have been idle for longer, and stamps in the future are set to the present.',
    allowed: 'a day as YYYY-MM-DD',
    schema: day,
  },
  {
    name: 'STRATALOG_INDEX_CHECK_SECONDS',
    help: 'Pause between two comparisons of each index with the store; there is one at the start, too.',
    fallback: '3600',
    ...within(1, 604_800),
  },
  {
    name: 'STRATALOG_VENDOR',
    help: 'The vendor part of record names; choose it before the first write.',
    fallback: 'linkedin',
    allowed: 'a lower-case name',
    schema: text.regex(/^[a-z][a-z0-9]*$/),
  },
  {
    name: 'STRATALOG_URN_NAMESPACE',
    help: 'The namespace part of urns; choose it before the first write.',
    fallback: 'li',
    allowed: 'a lower-case name',
    schema: text.regex(/^[a-z][a-z0-9]*$/),
  },
  {
    name: 'STRATALOG_LOG_LEVEL',
    help: 'The least severe messages that are logged on standard error, as JSON lines unless it is a terminal.',
    fallback: 'info',
    ...among(LOG_LEVELS),
  },
  {
    name: 'STRATALOG_ACCESS_LOG',
    help: 'Whether each call is logged after its answer, at the level info; at debug it always is.',
    fallback: 'off',
    ...among(['off', 'on']),
  },
];
