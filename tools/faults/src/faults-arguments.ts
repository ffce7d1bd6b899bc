import { parseArgs } from 'node:util';
import type { Usage } from '@stratalog/local-stack';
import { FAULTS, type Fault } from './distributed/fault-plans';

export interface CrashOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly writers: number;
  readonly roundMs: number;
}

export interface DistributedOptions extends CrashOptions {
  /** How many programs write into Kafka. */
  readonly producers: number;
  readonly faults: readonly Fault[];
  /** Everything is checked after so many rounds, and at the end. */
  readonly checkEvery: number;
}

export type FaultsArguments =
  | { readonly kind: 'crash' | 'poison'; readonly options: CrashOptions }
  | { readonly kind: 'distributed'; readonly options: DistributedOptions }
  | Usage;

const HIGHEST_SEED = 2 ** 32 - 1;

export const HELP = `Usage: npm run faults -- crash|distributed|poison [options]

crash starts a catalog on a folder of its own, writes to it over HTTP as fast as it answers, kills it with kill -9 at random
moments, starts it again, and holds what is stored against what was sent and acknowledged.

distributed does the same to the six apps, the proxy and their servers: each round kills one of them, or the database, Kafka
or the search engine, or lets a writer sleep until others have its partitions, or changes the number of writers or
indexers. It writes through the proxy and into Kafka. Needs Java 17 or later and Maven, as does

poison, which measures in turn how long writes wait without and with records in Kafka that nobody can apply.

  --seed N         from 0 to ${HIGHEST_SEED}: fixes what is done when; how processes interleave it cannot fix (random)
  --rounds N       how often something happens (10)
  --writers N      connections that write at the same time (32; distributed: 12; poison: 8)
  --round-ms N     the longest time from one round to what happens in the next, in milliseconds (1500)
  -h, --help       print this

Of distributed only:

  --producers N    programs that write proposals into Kafka at the same time (4)
  --check-every N  everything is checked after so many rounds, and at the end (25)
  --faults A,B     only these, in turn: ${FAULTS.slice(0, 5).join(', ')},
                   ${FAULTS.slice(5, 10).join(', ')},
                   ${FAULTS.slice(10).join(', ')}

Prints one JSON line for each round and one for the whole. Ends with status 0 when every promise was kept, 1 when one was
broken (then the folder is kept and named), 2 for wrong usage, 130 when interrupted.
`;

const WRITERS = { crash: '32', distributed: '12', poison: '8' } as const;

export function parseFaultsArguments(args: readonly string[]): FaultsArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        rounds: { type: 'string', default: '10' },
        writers: { type: 'string' },
        'round-ms': { type: 'string', default: '1500' },
        producers: { type: 'string' },
        'check-every': { type: 'string' },
        faults: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return { kind: 'help' };
    const [kind] = positionals;
    if (positionals.length !== 1 || (kind !== 'crash' && kind !== 'distributed' && kind !== 'poison')) {
      const given = positionals.join(' ');
      throw new RangeError(`expected the name of a fault test: crash, distributed, poison; got "${given}"`);
    }
    const options = {
      seed: integer(
        '--seed',
        values.seed ?? String(Math.floor(Math.random() * HIGHEST_SEED)),
        0,
        HIGHEST_SEED,
      ),
      rounds: integer('--rounds', values.rounds, 1, 100_000),
      writers: integer('--writers', values.writers ?? WRITERS[kind], 1, 1_000),
      roundMs: integer('--round-ms', values['round-ms'], 10, 600_000),
    };
    const { producers, faults, 'check-every': checkEvery } = values;
    if (kind === 'distributed') {
      return {
        kind,
        options: {
          ...options,
          producers: integer('--producers', producers ?? '4', 0, 1_000),
          faults: faults === undefined ? FAULTS : faultsIn(faults),
          checkEvery: integer('--check-every', checkEvery ?? '25', 1, 100_000),
        },
      };
    }
    const foreign = Object.entries({ producers, faults, 'check-every': checkEvery });
    for (const [name, value] of foreign) {
      if (value !== undefined) throw new RangeError(`--${name} is an option of distributed only`);
    }
    return { kind, options };
  } catch (error) {
    return { kind: 'usage', fault: error instanceof Error ? error.message : String(error) };
  }
}

function faultsIn(text: string): readonly Fault[] {
  return text.split(',').map((name) => {
    const fault = FAULTS.find((known) => known === name);
    if (fault === undefined) throw new RangeError(`--faults has "${name}"; allowed: ${FAULTS.join(', ')}`);
    return fault;
  });
}

function integer(name: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new RangeError(`${name} is "${text}"; allowed: an integer from ${minimum} to ${maximum}`);
}
