import type { PROFILES } from './catalog-settings';
import { fileSetting, type Setting } from './setting-kinds';
import { SETTINGS, SETTING_GROUPS } from './settings';

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

function describe(settings: readonly Setting[]): string {
  return settings
    .map((setting) => {
      const { name, help, allowed, fallback } = setting;
      const file = setting.secret === true ? ` Or in the file that ${fileSetting(setting)} names.` : '';
      const value = fallback === undefined ? '' : ` Default: ${fallback}.`;
      return `  ${name}\n      ${help}${value}${file}\n      Allowed: ${allowed}\n`;
    })
    .join('');
}
