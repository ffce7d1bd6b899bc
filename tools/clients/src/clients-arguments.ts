import { parseArgs } from 'node:util';
import type { Usage } from '@stratalog/local-stack';
import { RELEASES } from './python-environments';

export type ClientsArguments = { readonly kind: 'try'; readonly releases: readonly string[] } | Usage;

export const HELP = `Usage: npm run clients [-- --release R]

Starts a catalog with a database of its own on a free port for each release of the Python client, and works with it as
people do: the command line, files, the emitter, the graph reader. What was written is read back and compared.

  --release R      only this one: ${RELEASES.join(' or ')}
  -h, --help       print this

Needs Python 3.10 or later with venv. The releases are installed by pip, from where the machine's configuration says, and kept in
STRATALOG_CACHE_DIR. Prints one line for each step. Ends with status 0 when all went well, 1 when a step failed (with what the client said),
2 for wrong usage, 130 when interrupted.
`;

export function parseClientsArguments(args: readonly string[]): ClientsArguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { release: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help === true) return { kind: 'help' };
    const { release } = values;
    if (release === undefined) return { kind: 'try', releases: RELEASES };
    if (!RELEASES.some((known) => known === release)) {
      throw new RangeError(`--release is "${release}"; allowed: ${RELEASES.join(', ')}`);
    }
    return { kind: 'try', releases: [release] };
  } catch (error) {
    return { kind: 'usage', fault: (error as Error).message };
  }
}
