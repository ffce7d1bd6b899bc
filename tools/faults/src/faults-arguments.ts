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
  /** The number of programs that produce to Kafka. */
  readonly producers: number;
  readonly faults: readonly Fault[];
  /** Everything is checked after this number of rounds, and at the end. */
  readonly checkEvery: number;
}

export interface RaceOptions {
  readonly seed: number;
  readonly increments: number;
  readonly writers: number;
  /** Entities that all writers write to. */
  readonly urns: number;
  readonly distributed: boolean;
}

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  readonly writers: number;
}

export type FaultsArguments =
  | { readonly kind: 'crash' | 'poison'; readonly options: CrashOptions }
  | { readonly kind: 'races'; readonly options: RaceOptions }
  | { readonly kind: 'fuzz'; readonly options: FuzzOptions }
  | { readonly kind: 'distributed'; readonly options: DistributedOptions }
  | Usage;

const HIGHEST_SEED = 2 ** 32 - 1;

export const HELP = `Usage: npm run faults -- crash|distributed|fuzz|poison|races [options]

crash starts a catalog on a folder of its own, writes to it over HTTP as fast as it answers, kills it with kill -9 at random
moments, starts it again, and holds what is stored against what was sent and acknowledged.

distributed does the same to the six apps, the proxy and their servers: each round kills one of them, or the database, Kafka
or the search engine, or lets a writer sleep until others have its partitions, or changes the number of writers or
indexers. It writes through the proxy and into Kafka. Needs Java 17 or later and Maven, as does

poison, which measures in turn how long writes wait without and with records in Kafka that nobody can apply.

races kills nothing: many writers read the same few counters over HTTP and raise them on the condition that nobody else has
meanwhile, by headers, by patches and in batches over several entities, beside writes that look at nothing. Every increment
must be there once, and no caller may see anything but success or that somebody was faster.

fuzz kills nothing either: clients send to every route of a catalog what nobody should, with broken framing, hostile headers and
connections cut off. Nothing may be answered 5xx, and the catalog must be well afterwards with the memory that it had.

  --seed N         from 0 to ${HIGHEST_SEED}: fixes what is done when; how processes interleave it cannot fix (random)
  --rounds N       how often something happens (10)
  --writers N      connections that write at the same time (32; distributed: 12; poison: 8; races: 64; fuzz: 16)
  --round-ms N     the longest time from one round to what happens in the next, in milliseconds (1500)
  -h, --help       print this

Of distributed only:

  --producers N    programs that write proposals into Kafka at the same time (4)
  --check-every N  everything is checked after so many rounds, and at the end (25)
  --faults A,B     only these, in turn: ${FAULTS.slice(0, 5).join(', ')},
                   ${FAULTS.slice(5, 10).join(', ')},
                   ${FAULTS.slice(10).join(', ')}

Of races only, which has no rounds:

  --increments N   how often a counter is raised, over all (100000)
  --urns N         entities that all writers write to (16)
  --distributed    over the six apps, the proxy and their servers instead of the embedded catalog

Of fuzz only, which has no rounds:

  --requests N     how many requests are sent, over all (50000)

Prints one JSON line for each round and one for the whole. Ends with status 0 when every promise was kept, 1 when one was
broken (then the folder is kept and named), 2 for wrong usage, 130 when interrupted.
`;

const WRITERS = { crash: '32', distributed: '12', poison: '8', races: '64', fuzz: '16' } as const;
type Test = keyof typeof WRITERS;
const TESTS = Object.keys(WRITERS) as readonly Test[];
/** Options that not every test has. */
const TESTS_WITH: Readonly<Record<string, readonly Test[]>> = {
  rounds: ['crash', 'distributed', 'poison'],
  'round-ms': ['crash', 'distributed', 'poison'],
  producers: ['distributed'],
  'check-every': ['distributed'],
  faults: ['distributed'],
  increments: ['races'],
  urns: ['races'],
  distributed: ['races'],
  requests: ['fuzz'],
};

export function parseFaultsArguments(args: readonly string[]): FaultsArguments {
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
    if (values.help === true) return { kind: 'help' };
    const kind = TESTS.find((name) => name === positionals[0]);
    if (positionals.length !== 1 || kind === undefined) {
      const given = positionals.join(' ');
      throw new RangeError(`expected the name of a fault test: ${TESTS.join(', ')}; got "${given}"`);
    }
    for (const name of Object.keys(values)) {
      const own = TESTS_WITH[name];
      if (own?.includes(kind) === false)
        throw new RangeError(`--${name} is an option of ${own.join(', ')} only`);
    }
    return { kind, options: toOptions(kind, values) } as FaultsArguments;
  } catch (error) {
    return { kind: 'usage', fault: error instanceof Error ? error.message : String(error) };
  }
}

const OPTIONS = {
  seed: { type: 'string' },
  rounds: { type: 'string' },
  writers: { type: 'string' },
  'round-ms': { type: 'string' },
  producers: { type: 'string' },
  'check-every': { type: 'string' },
  faults: { type: 'string' },
  increments: { type: 'string' },
  urns: { type: 'string' },
  distributed: { type: 'boolean' },
  requests: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

function toOptions(
  kind: Test,
  values: Values,
): CrashOptions | DistributedOptions | RaceOptions | FuzzOptions {
  const drawn = String(Math.floor(Math.random() * HIGHEST_SEED));
  const common = {
    seed: integer('--seed', values.seed ?? drawn, 0, HIGHEST_SEED),
    writers: integer('--writers', values.writers ?? WRITERS[kind], 1, 1_000),
  };
  if (kind === 'races') {
    return {
      ...common,
      increments: integer('--increments', values.increments ?? '100000', 1, 100_000_000),
      urns: integer('--urns', values.urns ?? '16', 3, 10_000),
      distributed: values.distributed ?? false,
    };
  }
  if (kind === 'fuzz') {
    return { ...common, requests: integer('--requests', values.requests ?? '50000', 10, 100_000_000) };
  }
  const rounds = {
    ...common,
    rounds: integer('--rounds', values.rounds ?? '10', 1, 100_000),
    roundMs: integer('--round-ms', values['round-ms'] ?? '1500', 10, 600_000),
  };
  if (kind !== 'distributed') return rounds;
  return {
    ...rounds,
    producers: integer('--producers', values.producers ?? '4', 0, 1_000),
    faults: values.faults === undefined ? FAULTS : faultsIn(values.faults),
    checkEvery: integer('--check-every', values['check-every'] ?? '25', 1, 100_000),
  };
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
