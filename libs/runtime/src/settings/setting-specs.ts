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
export const URN_EXISTENCE = ['off', 'warn', 'refuse'] as const;

/** Every setting, in the order of the help and of the settings page. */
export const SETTINGS: readonly SettingSpec[] = [
  {
    name: 'STRATALOG_PROFILE',
    help: 'Which servers the catalog runs on.',
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
    help: 'Port on which GET /metrics is served, without a token; 0 picks a free one. Not served when it is not set.',
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
    help: 'Folder for everything that the catalog keeps.',
    fallback: '.stratalog',
    allowed: 'a path',
    schema: text.min(1),
  },
  {
    name: 'DATABASE_URL',
    help: 'A PostgreSQL server to use instead of the embedded one.',
    allowed: 'postgres://user:password@host:port/database',
    schema: text.refine((url) => /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')),
    secret: true,
  },
  {
    name: 'DATABASE_POOL_SIZE',
    help: 'Connections to PostgreSQL at most.',
    fallback: '12',
    ...within(4, 500),
  },
  {
    name: 'STRATALOG_SERVER_HANG_MS',
    help: 'An embedded server that runs, but neither answers nor recovers for so long is ended by force and started again.',
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
    help: 'So long after the use of all entities was measured it is measured again.',
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
    help: 'So long after all metadata tests were evaluated for all entities they are evaluated again; only when STRATALOG_TEST_RESULTS is continuous.',
    fallback: '86400',
    ...within(1, 31_536_000),
  },
  ...DISTRIBUTED_SETTINGS,
  {
    name: 'STRATALOG_UNKNOWN_ASPECTS',
    help: 'What becomes of an asynchronous proposal whose aspect or entity type no model knows: kept until one does, or forgotten.',
    fallback: 'dead-letter',
    ...among(UNKNOWN_ASPECTS),
  },
  {
    name: 'STRATALOG_URN_EXISTENCE',
    help: 'What becomes of a value with the urn of an entity that the model expects to exist, and that does not: written, written with a warning, or refused.',
    fallback: 'off',
    ...among(URN_EXISTENCE),
  },
  {
    name: 'STRATALOG_STRICT',
    help: 'Refuses requests with fields, members or parameters that nothing knows, instead of telling them in X-Stratalog-Warnings.',
    fallback: 'false',
    ...among(['true', 'false']),
  },
  {
    name: 'STRATALOG_ACCEPT_MODEL',
    help: 'Starts although this model breaks with the stored one; the refusal shows the value to set.',
    allowed: 'the first 12 digits of a model fingerprint',
    schema: text.regex(/^[0-9a-f]{12}$/),
  },
  {
    name: 'STRATALOG_AUTH',
    help: 'Which calls need a token; all of them in the distributed profile unless set. On a host other than loopback it must be all, unless STRATALOG_INSECURE_HOST allows less.',
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
    help: 'Partitions of a new store; one that exists keeps its own.',
    fallback: '16',
    ...within(1, 1_024),
  },
  {
    name: 'STRATALOG_MAX_BODY_BYTES',
    help: 'Larger request bodies are refused with 413.',
    fallback: '16777216',
    ...within(1_024, 134_217_728),
  },
  {
    name: 'STRATALOG_COMMIT_TIMEOUT_MS',
    help: 'How long a synchronous write waits for its commit.',
    fallback: '10000',
    ...within(10, 600_000),
  },
  {
    name: 'STRATALOG_POSITION_TIMEOUT_MS',
    help: 'How long a search waits for the position that it was asked to include.',
    fallback: '10000',
    ...within(10, 600_000),
  },
  {
    name: 'STRATALOG_QUERY_TIMEOUT_MS',
    help: 'How long one question of a request to the store or an index may take, the wait for a connection included; then 503.',
    fallback: '20000',
    ...within(10, 50_000),
  },
  {
    name: 'STRATALOG_RETENTION_MAX_VERSIONS',
    help: 'Where no policy is stored: so many of the newest versions of an aspect are kept; 0 sets no such limit.',
    fallback: '100',
    ...within(0, 2_147_483_647),
  },
  {
    name: 'STRATALOG_RETENTION_MAX_AGE_SECONDS',
    help: 'Where no policy is stored: versions are kept for so long, also beyond the number; 0 sets no such limit. With neither, all are kept.',
    fallback: '7776000',
    ...within(0, 2_147_483_647),
  },
  {
    name: 'STRATALOG_RETENTION_EVERY_SECONDS',
    help: 'So long after old values were looked for in the whole store it is done again.',
    fallback: '3600',
    ...within(1, 604_800),
  },
  {
    name: 'STRATALOG_TASK_KEEP_DAYS',
    help: 'Tasks that have ended are kept for so long.',
    fallback: '30',
    ...within(1, 3_650),
  },
  {
    name: 'STRATALOG_AUDIT_KEEP_DAYS',
    help: 'Records of the calls of operators are kept for so long.',
    fallback: '365',
    ...within(1, 36_500),
  },
  {
    name: 'STRATALOG_MAX_CLOCK_STEP_SECONDS',
    help: "Writes are refused while the clock is so far from where it has to be: by the time that has passed, by the database server's clock, or behind the last stamp.",
    fallback: '3600',
    ...within(10, 31_536_000),
  },
  {
    name: 'STRATALOG_MAX_IDLE_DAYS',
    help: 'Writes are refused when the clock of a start is later than the last use of the store by more than this.',
    fallback: '30',
    ...within(1, 36_500),
  },
  {
    name: 'STRATALOG_ACCEPT_CLOCK',
    help: 'The day (UTC) that the clock of this start is right about: the store may have been left alone for longer, and stamps that lie in the future are set to now.',
    allowed: 'a day as YYYY-MM-DD',
    schema: day,
  },
  {
    name: 'STRATALOG_INDEX_CHECK_SECONDS',
    help: 'How often the number of entries of each index is compared with the store, besides at the start.',
    fallback: '3600',
    ...within(1, 604_800),
  },
  {
    name: 'STRATALOG_VENDOR',
    help: 'The vendor part of record names.',
    fallback: 'linkedin',
    allowed: 'a lower-case name',
    schema: text.regex(/^[a-z][a-z0-9]*$/),
  },
  {
    name: 'STRATALOG_URN_NAMESPACE',
    help: 'The namespace part of urns.',
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
];
