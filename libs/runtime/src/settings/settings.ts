import { didYouMean } from '@stratalog/domain';
import type { RetentionPolicy } from '@stratalog/retention';
import {
  CALLER_LIMITS,
  JWT,
  POLICIES_AND_TLS,
  PROXIES,
  SIGN_IN,
  resolveAccess,
  type AccessSettings,
} from './access-settings';
import {
  ACCEPTED,
  ACCESS,
  CLOCK,
  DATABASE,
  LIMITS,
  METADATA_TESTS,
  MODEL,
  NAMES_AND_LOGS,
  PROCESS,
  RETENTION,
} from './catalog-settings';
import {
  KAFKA,
  PROXY,
  SEARCH_ENGINE,
  resolveDistributed,
  type App,
  type KafkaSettings,
  type SearchEngineSettings,
} from './distributed-settings';
import { readSettings, rejectedSetting } from './read-settings';
import { fileSetting, listSettings, type Setting, type ValuesOf } from './setting-kinds';

/** The settings by subject, in the order of the help and of the settings page. */
const GROUPS = {
  process: PROCESS,
  database: DATABASE,
  model: MODEL,
  tests: METADATA_TESTS,
  kafka: KAFKA,
  searchEngine: SEARCH_ENGINE,
  proxy: PROXY,
  accepted: ACCEPTED,
  access: { ...ACCESS, ...PROXIES },
  jwt: JWT,
  signIn: SIGN_IN,
  policiesAndTls: POLICIES_AND_TLS,
  limits: { ...CALLER_LIMITS, ...LIMITS },
  retention: RETENTION,
  clock: CLOCK,
  namesAndLogs: NAMES_AND_LOGS,
};

const TITLES: Readonly<Record<keyof typeof GROUPS, string>> = {
  process: 'The process',
  database: 'The database',
  model: 'Model and search',
  tests: 'Metadata tests',
  kafka: 'Kafka',
  searchEngine: 'The search engine',
  proxy: 'The proxy',
  accepted: 'What is accepted',
  access: 'Access',
  jwt: 'Tokens of an identity provider',
  signIn: 'Signing in in a browser',
  policiesAndTls: 'Policies and TLS',
  limits: 'Limits',
  retention: 'Retention',
  clock: 'The clock',
  namesAndLogs: 'Indices, names and logs',
};

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}

/** Every setting, in groups that are the sections of the settings page. */
export const SETTING_GROUPS: readonly SettingGroup[] = Object.entries(TITLES).map(([name, title]) => ({
  title,
  settings: listSettings(GROUPS[name as keyof typeof GROUPS]),
}));

export const SETTINGS: readonly Setting[] = SETTING_GROUPS.flatMap(({ settings }) => settings);

type Plain = ValuesOf<typeof PROCESS> &
  ValuesOf<typeof DATABASE> &
  ValuesOf<typeof MODEL> &
  ValuesOf<typeof METADATA_TESTS> &
  ValuesOf<typeof ACCEPTED> &
  Omit<ValuesOf<typeof ACCESS>, 'insecureHost'> &
  ValuesOf<typeof CALLER_LIMITS> &
  ValuesOf<typeof LIMITS> &
  ValuesOf<typeof RETENTION> &
  ValuesOf<typeof CLOCK> &
  ValuesOf<typeof NAMES_AND_LOGS>;

/** All settings of a process, parsed once. */
export type Settings = Omit<Plain, 'corsOrigins' | 'modelFolders' | 'retention'> &
  AccessSettings & {
    /** Origins whose pages may call from a browser. */
    readonly corsOrigins: readonly string[];
    /** More model folders, read after the built-in one. */
    readonly modelFolders: readonly string[];
    /** The default retention policy, and the interval at which retention runs. */
    readonly retention: { readonly fallback: RetentionPolicy; readonly everyMs: number };
    /** For the proxy: the addresses of each app's instances. */
    readonly appUrls: Readonly<Record<App, readonly string[]>>;
    /** Of the distributed profile. */
    readonly kafka?: KafkaSettings;
    readonly searchEngine?: SearchEngineSettings;
  };

/**
 * Parses the settings of a process.
 *
 * **Errors**: `InvalidSettingError` naming the setting, its value and the permitted values.
 */
export function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const isDistributed = environment.STRATALOG_PROFILE === 'distributed';
  const given = readSettings(GROUPS, environment, isDistributed);
  const { corsOrigins = [], ...process } = given.process;
  const { modelFolders = [], ...model } = given.model;
  const { retention, ...kept } = given.retention;
  const { auth, token, insecureHost } = given.access;
  const settings: Settings = {
    ...process,
    corsOrigins,
    ...given.database,
    ...model,
    modelFolders,
    ...given.tests,
    ...(isDistributed ? resolveDistributed(given) : {}),
    appUrls: { ingest: [], query: [], graph: [], admin: [], ...given.proxy.appUrls },
    ...given.accepted,
    auth,
    ...(token === undefined ? {} : { token }),
    ...resolveAccess(given),
    ...given.limits,
    retention: resolveRetention(retention),
    ...kept,
    ...given.clock,
    ...given.namesAndLogs,
  };
  rejectOpenHost(settings, insecureHost);
  return settings;
}

/** A limit of 0 means none. */
function resolveRetention({
  maxVersions,
  maxAgeMs,
  everyMs,
}: ValuesOf<typeof RETENTION>['retention']): Settings['retention'] {
  return {
    fallback: { ...(maxVersions > 0 && { maxVersions }), ...(maxAgeMs > 0 && { maxAgeMs }) },
    everyMs,
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
    ...SETTINGS.filter(({ secret }) => secret).map(fileSetting),
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

const SERVERS = /^(?:DATABASE|KAFKA|ELASTICSEARCH)_/;

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
    throw rejectedSetting(
      'STRATALOG_AUTH',
      `"none" with STRATALOG_HOST "${host}"`,
      'all, because that address is not loopback',
    );
  }
  if (insecureHost === host) return;
  throw rejectedSetting(
    'STRATALOG_AUTH',
    `"${auth}" with STRATALOG_HOST "${host}"`,
    `all, because that address is not loopback (or set STRATALOG_INSECURE_HOST=${host})`,
  );
}
