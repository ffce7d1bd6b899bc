import { parseArgs } from 'node:util';
import { settingsText } from '@stratalog/runtime';

export type Arguments =
  | { readonly kind: 'start'; readonly demo: boolean }
  | { readonly kind: 'help'; readonly isAll: boolean }
  | { readonly kind: 'usage'; readonly fault: string };

const OPTIONS = {
  demo: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  'help-all': { type: 'boolean' },
} as const;

/** npm takes options without `--` before them for its own, and passes them on as variables of this prefix. */
const NPM_PREFIX = 'npm_config_';

export function parseArguments(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Arguments {
  const taken = Object.keys(OPTIONS).find(
    (name) => environment[NPM_PREFIX + name.replaceAll('-', '_')] !== undefined,
  );
  if (taken !== undefined) {
    return {
      kind: 'usage',
      fault: `npm took --${taken} for an option of its own; npm start -- --${taken} is meant`,
    };
  }
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const isAll = values['help-all'] === true;
    return values.help === true || isAll
      ? { kind: 'help', isAll }
      : { kind: 'start', demo: values.demo ?? false };
  } catch (error) {
    return { kind: 'usage', fault: error instanceof Error ? error.message : String(error) };
  }
}

export function helpText(isAll: boolean): string {
  return `Usage: npm start -- [--demo]

Starts the catalog: every stage in one process, with a PostgreSQL of its own.

  --demo      load a sample catalog first
  -h, --help  print this
  --help-all  print this with every setting

Settings, from the environment:

${settingsText({ isAll, profile: 'embedded' })}`;
}
