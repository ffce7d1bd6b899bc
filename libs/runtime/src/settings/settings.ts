import { delimiter, resolve } from 'node:path';
import type { AuthMode } from '@stratalog/http';
import { InvalidSettingError, didYouMean } from '@stratalog/model';
import type { RetentionPolicy } from '@stratalog/retention';
import { resolveAccess, type AccessSettings } from './access-settings';
import { APPS, urlsSetting, type App } from './distributed-setting-specs';
import { resolveDistributed, type KafkaSettings, type SearchEngineSettings } from './distributed-settings';
import { givenSetting, type GivenSettings, type SettingSpec } from './setting-kinds';
import {
  SETTINGS,
  type LOG_LEVELS,
  type POPULARITY,
  type TEST_RESULTS,
  type PROFILES,
  type UNKNOWN_ASPECTS,
  type URN_EXISTENCE,
} from './setting-specs';

/** All settings of a process, parsed once. */
export interface Settings extends AccessSettings {
  readonly profile: (typeof PROFILES)[number];
  readonly host: string;
  readonly port: number;
  /** The port of `/metrics`; without it metrics are not served. */
  readonly metricsPort?: number;
  /** The catalog's address in `/config`, when it is not this process's own. */
  readonly baseUrl?: string;
  /** Origins whose pages may call from a browser. */
  readonly corsOrigins: readonly string[];
  /** For the proxy: the addresses of each app's instances. */
  readonly appUrls: Readonly<Record<App, readonly string[]>>;
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly databasePoolSize: number;
  /** The time for which the embedded server may hang. */
  readonly serverHangMs: number;
  /** Of the distributed profile. */
  readonly kafka?: KafkaSettings;
  readonly searchEngine?: SearchEngineSettings;
  /** More model folders, read after the built-in one. */
  readonly modelFolders: readonly string[];
  readonly auth: AuthMode;
  readonly token?: string;
  readonly partitions: number;
  readonly maxBodyBytes: number;
  readonly commitTimeoutMs: number;
  readonly positionTimeoutMs: number;
  readonly queryTimeoutMs: number;
  /** The default retention policy, and the interval at which retention runs. */
  readonly retention: { readonly fallback: RetentionPolicy; readonly everyMs: number };
  /** The time for which ended tasks are kept. */
  readonly taskKeepMs: number;
  /** The time for which audit records are kept. */
  readonly auditKeepMs: number;
  /** The limits for the clock's deviation, and for the idle time of a store. */
  readonly maxClockStepMs: number;
  readonly maxIdleMs: number;
  /** The day on which the operator accepts the clock of this start, as `YYYY-MM-DD`. */
  readonly acceptClock?: string;
  /** The interval at which indices are compared with the store. */
  readonly indexCheckMs: number;
  readonly vendor: string;
  readonly urnNamespace: string;
  /** The treatment of an asynchronous proposal whose aspect is not in the model. */
  readonly unknownAspects: (typeof UNKNOWN_ASPECTS)[number];
  /** The treatment of values with urns of entities that should exist and do not. */
  readonly urnExistence: (typeof URN_EXISTENCE)[number];
  /** How much the use of entities counts in searches, and the interval at which it is measured. */
  readonly popularity: { readonly strength: (typeof POPULARITY)[number]; readonly everyMs: number };
  /** Results of metadata tests: on request, or after each change and all again at an interval. */
  readonly testResults: { readonly mode: (typeof TEST_RESULTS)[number]; readonly everyMs: number };
  /** A list of synonyms that replaces the usual ones. */
  readonly synonymsFile?: string;
  /** True when requests with unknown names are rejected. */
  readonly isStrict: boolean;
  /** The first digits of the fingerprint of a model that may be incompatible with the stored one. */
  readonly acceptModel?: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Logs each call at the level info. */
  readonly accessLog: boolean;
}

/**
 * Parses the settings of a process.
 *
 * **Errors**: `InvalidSettingError` naming the setting, its value and the permitted values.
 */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const isDistributed = environment.STRATALOG_PROFILE === 'distributed';
  const given = new Map(
    SETTINGS.map((spec) => [
      spec.name,
      resolveValue(spec, givenSetting(environment, spec.name), isDistributed),
    ]),
  );
  const required = (name: string): string => given.get(name) ?? '';
  const profile = required('STRATALOG_PROFILE') as Settings['profile'];
  const databaseUrl = given.get('DATABASE_URL');
  const metricsPort = given.get('STRATALOG_METRICS_PORT');
  const baseUrl = given.get('STRATALOG_BASE_URL');
  const token = given.get('STRATALOG_TOKEN');
  const acceptModel = given.get('STRATALOG_ACCEPT_MODEL');
  const synonymsFile = given.get('STRATALOG_SYNONYMS');
  const acceptClock = given.get('STRATALOG_ACCEPT_CLOCK');
  const settings: Settings = {
    profile,
    host: required('STRATALOG_HOST'),
    port: Number(required('STRATALOG_PORT')),
    ...(metricsPort === undefined ? {} : { metricsPort: Number(metricsPort) }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    corsOrigins: given.get('STRATALOG_CORS_ORIGINS')?.toLowerCase().split(',') ?? [],
    appUrls: Object.fromEntries(
      APPS.map((app) => [app, given.get(urlsSetting(app))?.split(',') ?? []]),
    ) as unknown as Settings['appUrls'],
    dataDir: resolve(required('STRATALOG_DATA_DIR')),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(profile === 'distributed' ? resolveDistributed(given) : {}),
    databasePoolSize: Number(required('DATABASE_POOL_SIZE')),
    serverHangMs: Number(required('STRATALOG_SERVER_HANG_MS')),
    modelFolders: required('STRATALOG_MODELS')
      .split(delimiter)
      .filter((folder) => folder !== '')
      .map((folder) => resolve(folder)),
    ...(synonymsFile === undefined ? {} : { synonymsFile: resolve(synonymsFile) }),
    unknownAspects: required('STRATALOG_UNKNOWN_ASPECTS') as Settings['unknownAspects'],
    popularity: {
      strength: required('STRATALOG_POPULARITY') as Settings['popularity']['strength'],
      everyMs: Number(required('STRATALOG_POPULARITY_EVERY_SECONDS')) * 1_000,
    },
    testResults: {
      mode: required('STRATALOG_TEST_RESULTS') as Settings['testResults']['mode'],
      everyMs: Number(required('STRATALOG_TEST_RESULTS_EVERY_SECONDS')) * 1_000,
    },
    urnExistence: required('STRATALOG_URN_EXISTENCE') as Settings['urnExistence'],
    isStrict: required('STRATALOG_STRICT') === 'true',
    ...(acceptModel === undefined ? {} : { acceptModel }),
    auth: required('STRATALOG_AUTH') as AuthMode,
    ...(token === undefined ? {} : { token }),
    ...resolveAccess(given),
    partitions: Number(required('STRATALOG_PARTITIONS')),
    maxBodyBytes: Number(required('STRATALOG_MAX_BODY_BYTES')),
    commitTimeoutMs: Number(required('STRATALOG_COMMIT_TIMEOUT_MS')),
    positionTimeoutMs: Number(required('STRATALOG_POSITION_TIMEOUT_MS')),
    queryTimeoutMs: Number(required('STRATALOG_QUERY_TIMEOUT_MS')),
    retention: resolveRetention(given),
    taskKeepMs: Number(required('STRATALOG_TASK_KEEP_DAYS')) * 86_400_000,
    auditKeepMs: Number(required('STRATALOG_AUDIT_KEEP_DAYS')) * 86_400_000,
    maxClockStepMs: Number(required('STRATALOG_MAX_CLOCK_STEP_SECONDS')) * 1_000,
    maxIdleMs: Number(required('STRATALOG_MAX_IDLE_DAYS')) * 86_400_000,
    ...(acceptClock === undefined ? {} : { acceptClock }),
    indexCheckMs: Number(required('STRATALOG_INDEX_CHECK_SECONDS')) * 1_000,
    vendor: required('STRATALOG_VENDOR'),
    urnNamespace: required('STRATALOG_URN_NAMESPACE'),
    logLevel: required('STRATALOG_LOG_LEVEL') as Settings['logLevel'],
    accessLog: required('STRATALOG_ACCESS_LOG') === 'on',
  };
  rejectOpenHost(settings, given.get('STRATALOG_INSECURE_HOST'));
  return settings;
}

/** A limit of 0 means none. */
function resolveRetention(given: GivenSettings): Settings['retention'] {
  const seconds = (name: string): number => Number(given.get(name)) * 1_000;
  const maxVersions = Number(given.get('STRATALOG_RETENTION_MAX_VERSIONS'));
  const maxAgeMs = seconds('STRATALOG_RETENTION_MAX_AGE_SECONDS');
  return {
    fallback: { ...(maxVersions > 0 && { maxVersions }), ...(maxAgeMs > 0 && { maxAgeMs }) },
    everyMs: seconds('STRATALOG_RETENTION_EVERY_SECONDS'),
  };
}

/** A name in the environment that resembles a setting but is none. */
export interface UnknownSetting {
  readonly name: string;
  /** The end of a sentence about it: `; did you mean STRATALOG_PORT?`, or nothing. */
  readonly near: string;
}

/**
 * Returns names in the environment that are probably misspelt settings. These begin like the catalog's own,
 * or name its servers and resemble one of its settings. Other programs have settings for the same servers.
 */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
): readonly UnknownSetting[] {
  const known = new Set([
    ...SETTINGS.map(({ name }) => name),
    'STRATALOG_URL',
    'STRATALOG_CACHE_DIR',
    'STRATALOG_CLI_CONFIG',
    'STRATALOG_CLI_PROFILE',
    'STRATALOG_CONNECTOR_DATA',
    'STRATALOG_TEST_DATABASE_URL',
    'STRATALOG_TEST_KAFKA_BROKERS',
    'STRATALOG_TEST_ELASTICSEARCH_URL',
    'STRATALOG_TEST_ELASTICSEARCH_8_URL',
  ]);
  return Object.keys(environment)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, near: didYouMean(name, known) }))
    .filter(({ name, near }) => name.startsWith('STRATALOG_') || (SERVERS.test(name) && near !== ''));
}

const PASSWORD_IN_URL = /\/\/[^/]*@/;
const SERVERS = /^(?:DATABASE|KAFKA|ELASTICSEARCH)_/;

function resolveValue(
  spec: SettingSpec,
  given: string | undefined,
  isDistributed: boolean,
): string | undefined {
  if (given === undefined) return (isDistributed ? spec.distributedFallback : undefined) ?? spec.fallback;
  const parsed = spec.schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const near = didYouMean(given, spec.words ?? []);
  const isSecret = spec.secret === true || PASSWORD_IN_URL.test(given);
  throw rejected(spec.name, isSecret ? '(not shown)' : `"${given}"`, spec.allowed + near);
}

function rejected(name: string, shown: string, allowed: string): InvalidSettingError {
  return new InvalidSettingError(`${name} is ${shown}; allowed: ${allowed}`);
}

/**
 * True when the catalog is the open embedded default. Unmodified clients delete and roll back there without a token, as on an open DataHub.
 */
export function isOpenDefault({ profile, host, auth }: Pick<Settings, 'profile' | 'host' | 'auth'>): boolean {
  return profile === 'embedded' && auth === 'operations' && isLoopback(host);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host);
}

/**
 * Clients from beyond this machine must present a token, unless the operator explicitly permits otherwise.
 */
function rejectOpenHost({ host, auth }: Settings, insecureHost: string | undefined): void {
  if (isLoopback(host) || auth === 'all') return;
  if (auth === 'none') {
    throw rejected(
      'STRATALOG_AUTH',
      `"none" with STRATALOG_HOST "${host}"`,
      'all, because that address is not loopback',
    );
  }
  if (insecureHost === host) return;
  throw rejected(
    'STRATALOG_AUTH',
    `"${auth}" with STRATALOG_HOST "${host}"`,
    `all, because that address is not loopback (or set STRATALOG_INSECURE_HOST=${host})`,
  );
}
