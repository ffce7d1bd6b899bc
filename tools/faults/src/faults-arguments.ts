import { parseArgs } from 'node:util';

export interface CrashOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly writers: number;
  readonly roundMs: number;
}

export type FaultsArguments =
  | { readonly kind: 'crash'; readonly options: CrashOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'usage'; readonly fault: string };

const HIGHEST_SEED = 2 ** 32 - 1;

export const HELP = `Usage: npm run faults -- crash [options]

Starts a catalog on a folder of its own, writes to it over HTTP as fast as it answers, kills it with kill -9 at random
moments, starts it again, and holds what is stored against what was sent and acknowledged.

  --seed N       from 0 to ${HIGHEST_SEED}: fixes what is done when; how processes interleave it cannot fix (random)
  --rounds N     kills, each with a restart (10)
  --writers N    connections that write at the same time (32)
  --round-ms N   the longest time from a restart to the next kill, in milliseconds (1500)
  -h, --help     print this

Prints one JSON line for each round and one for the whole. Ends with status 0 when every promise was kept, 1 when one was
broken (then the folder is kept and named), 2 for wrong usage, 130 when interrupted.
`;

export function parseFaultsArguments(args: readonly string[]): FaultsArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        rounds: { type: 'string', default: '10' },
        writers: { type: 'string', default: '32' },
        'round-ms': { type: 'string', default: '1500' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return { kind: 'help' };
    if (positionals.length !== 1 || positionals[0] !== 'crash') {
      return {
        kind: 'usage',
        fault: `expected the name of a fault test: crash; got "${positionals.join(' ')}"`,
      };
    }
    const seed = values.seed ?? String(Math.floor(Math.random() * HIGHEST_SEED));
    const options = {
      seed: integer('--seed', seed, 0, HIGHEST_SEED),
      rounds: integer('--rounds', values.rounds, 1, 100_000),
      writers: integer('--writers', values.writers, 1, 1_000),
      roundMs: integer('--round-ms', values['round-ms'], 10, 600_000),
    };
    return { kind: 'crash', options };
  } catch (error) {
    return { kind: 'usage', fault: error instanceof Error ? error.message : String(error) };
  }
}

function integer(name: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new RangeError(`${name} is "${text}"; allowed: an integer from ${minimum} to ${maximum}`);
}
