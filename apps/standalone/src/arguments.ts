import { parseArgs } from 'node:util';
import { settingsText } from '@stratalog/runtime';

export type Arguments =
  | { readonly kind: 'start'; readonly demo: boolean }
  | { readonly kind: 'help' }
  | { readonly kind: 'usage'; readonly fault: string };

export function parseArguments(args: readonly string[]): Arguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { demo: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    return values.help === true ? { kind: 'help' } : { kind: 'start', demo: values.demo ?? false };
  } catch (error) {
    return { kind: 'usage', fault: error instanceof Error ? error.message : String(error) };
  }
}

export function helpText(): string {
  return `Usage: npm start -- [--demo]

Starts the catalog: every stage in one process, with a PostgreSQL of its own.

  --demo      load a sample catalog first
  -h, --help  print this

Settings, from the environment:

${settingsText()}`;
}
