import type { SettingSpec } from './setting-kinds';
import { SETTINGS, type PROFILES } from './setting-specs';

/** The groups of the settings by the first setting of each, in their order. */
const FIRST_OF_GROUP: ReadonlyMap<string, string> = new Map([
  ['STRATALOG_PROFILE', 'The process'],
  ['DATABASE_URL', 'The database'],
  ['STRATALOG_MODELS', 'Model and search'],
  ['STRATALOG_TEST_RESULTS', 'Metadata tests'],
  ['KAFKA_BROKERS', 'Kafka'],
  ['ELASTICSEARCH_URL', 'The search engine'],
  ['STRATALOG_INGEST_URLS', 'The proxy'],
  ['STRATALOG_UNKNOWN_ASPECTS', 'What is accepted'],
  ['STRATALOG_AUTH', 'Access'],
  ['STRATALOG_JWT_ISSUER', 'Tokens of an identity provider'],
  ['STRATALOG_POLICIES', 'Policies and TLS'],
  ['STRATALOG_READS_PER_SECOND', 'Limits'],
  ['STRATALOG_RETENTION_MAX_VERSIONS', 'Retention'],
  ['STRATALOG_MAX_CLOCK_STEP_SECONDS', 'The clock'],
  ['STRATALOG_INDEX_CHECK_SECONDS', 'Indices, names and logs'],
]);

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly SettingSpec[];
}

/** Every setting, in groups that are the sections of the settings page. */
export const SETTING_GROUPS: readonly SettingGroup[] = [...FIRST_OF_GROUP].map(([first, title], at, all) => {
  const next = all[at + 1]?.[0];
  const places = [first, next].map((name) => SETTINGS.findIndex((setting) => setting.name === name));
  return { title, settings: SETTINGS.slice(places[0], next === undefined ? undefined : places[1]) };
});

/** The settings that most catalogs need. */
const COMMON = [
  'STRATALOG_HOST',
  'STRATALOG_PORT',
  'STRATALOG_METRICS_PORT',
  'DATABASE_URL',
  'STRATALOG_MODELS',
  'STRATALOG_AUTH',
  'STRATALOG_TOKEN',
  'STRATALOG_LOG_LEVEL',
];
const OF_PROFILE: Readonly<Record<(typeof PROFILES)[number], readonly string[]>> = {
  embedded: ['STRATALOG_PROFILE', 'STRATALOG_DATA_DIR'],
  distributed: ['KAFKA_BROKERS', 'ELASTICSEARCH_URL'],
};

/** Formats the ten settings that most catalogs of a profile need for a program's `--help`, or all of them in groups for `--help-all`. */
export function settingsText({
  isAll,
  profile,
}: {
  readonly isAll: boolean;
  readonly profile: (typeof PROFILES)[number];
}): string {
  if (isAll)
    return SETTING_GROUPS.map(({ title, settings }) => `${title}\n\n${describe(settings)}`).join('\n');
  const shown = new Set([...COMMON, ...OF_PROFILE[profile]]);
  const few = SETTINGS.filter(({ name }) => shown.has(name));
  const rest = SETTINGS.length - few.length;
  return `${describe(few)}\nThere are ${String(rest)} more: --help-all lists them.\n`;
}

function describe(settings: readonly SettingSpec[]): string {
  return settings
    .map(({ name, help, allowed, fallback }) => {
      const value = fallback === undefined ? '' : ` Default: ${fallback}.`;
      return `  ${name}\n      ${help}${value}\n      Allowed: ${allowed}\n`;
    })
    .join('');
}
