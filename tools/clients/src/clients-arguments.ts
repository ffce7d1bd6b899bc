import { parseTool, type Usage } from '@stratalog/local-stack';
import { Option } from 'commander';
import { RELEASES } from './python-environments';

export interface TryReleases {
  readonly kind: 'try';
  readonly releases: readonly string[];
}

const DESCRIPTION =
  'Starts a catalog with its own database for each release of the Python client, and works with it as people do: the command line, files, the emitter, the graph reader. Reads back and compares what was written.';
const STATUS =
  "\nNeeds Python 3.10 or later with venv. pip installs the releases from the source in the machine's configuration; STRATALOG_CACHE_DIR keeps them. Prints one line for each step. Ends with status 0 when all went well, 1 when a step failed, 2 for wrong usage, 130 when interrupted.";

export function parseClientsArguments(args: readonly string[]): TryReleases | Usage {
  return parseTool<TryReleases>(args, (tool, choose) => {
    tool
      .name('npm run clients --')
      .description(DESCRIPTION)
      .addOption(new Option('--release <release>', 'only this release').choices(RELEASES))
      .addHelpText('after', STATUS)
      .action(({ release }: { readonly release?: string }) => {
        choose({ kind: 'try', releases: release === undefined ? RELEASES : [release] });
      });
  });
}
