import { integerFrom, parseTool, type Usage } from '@stratalog/local-stack';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { FAULTS, type Fault } from './distributed/fault-plans';
import { RESTORES, type Restore } from './restores/restores';

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

export interface RestoresOptions {
  readonly seed: number;
  readonly writers: number;
  readonly restores: readonly Restore[];
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

export type FaultTest =
  | { readonly kind: 'crash' | 'poison'; readonly options: CrashOptions }
  | { readonly kind: 'races'; readonly options: RaceOptions }
  | { readonly kind: 'fuzz'; readonly options: FuzzOptions }
  | { readonly kind: 'distributed'; readonly options: DistributedOptions }
  | { readonly kind: 'restores'; readonly options: RestoresOptions };

const HIGHEST_SEED = 2 ** 32 - 1;
const CRASH =
  'starts a catalog on a folder of its own, writes to it over HTTP as fast as it answers, kills it with kill -9 at random moments, starts it again, and compares the store with what was sent and acknowledged';
const DISTRIBUTED =
  'does the same to the six apps, the proxy and their servers: each round kills one of them, pauses a writer until others have its partitions, or changes the number of instances; needs Java 17 or later and Maven';
const RESTORES_TEXT =
  'puts servers of a distributed catalog back to older states, plays the operator, and checks that no write is acknowledged that is not applied; needs Java 17 or later and Maven';
const POISON =
  'measures in turn how long writes wait without and with records in Kafka that cannot be applied; needs Java 17 or later and Maven';
const RACES =
  'kills nothing: many writers raise the same few counters by conditions, patches and batches. Every increment must be there once, and a caller may only succeed or be overtaken';
const FUZZ =
  'kills nothing: clients send bad requests to every route, with broken framing and hostile headers. The catalog must answer nothing with 5xx, and keep its memory';
const STATUS =
  '\nPrints one JSON line for each round and one for the whole. Ends with status 0 when every promise was kept, 1 when one was broken (then the folder is kept and named), 2 for wrong usage, 130 when interrupted.';

export function parseFaultsArguments(args: readonly string[]): FaultTest | Usage {
  return parseTool<FaultTest>(args, (tool, choose) => {
    tool
      .name('npm run faults --')
      .description('Tests what the catalog promises.')
      .addHelpText('after', STATUS);
    const test = (kind: FaultTest['kind'], description: string, writers: number): Command =>
      tool
        .command(kind)
        .description(description)
        .addOption(
          new Option('--seed <n>', 'what is done when; the order between processes stays free')
            .argParser(integerFrom(0, HIGHEST_SEED))
            .default(Math.floor(Math.random() * HIGHEST_SEED), 'random'),
        )
        .option('--writers <n>', 'connections that write at the same time', integerFrom(1, 1_000), writers)
        .action((options: object) => {
          choose({ kind, options } as FaultTest);
        });
    const inRounds = (command: Command): Command =>
      command
        .option('--rounds <n>', 'how often something happens', integerFrom(1, 100_000), 10)
        .option('--round-ms <n>', 'the longest time between two of them', integerFrom(10, 600_000), 1_500);
    inRounds(test('crash', CRASH, 32));
    inRounds(test('distributed', DISTRIBUTED, 12))
      .option('--producers <n>', 'programs that write proposals into Kafka', integerFrom(0, 1_000), 4)
      .option(
        '--check-every <n>',
        'the rounds after which everything is checked',
        integerFrom(1, 100_000),
        25,
      )
      .addOption(
        new Option('--faults <names>', `only these, in turn: ${FAULTS.join(', ')}`)
          .argParser((text: string) => parseNames(text, FAULTS))
          .default(FAULTS, 'all'),
      );
    test('restores', RESTORES_TEXT, 8).addOption(
      new Option('--restores <names>', `only these, in turn: ${RESTORES.join(', ')}`)
        .argParser((text: string) => parseNames(text, RESTORES))
        .default(RESTORES, 'all'),
    );
    inRounds(test('poison', POISON, 8));
    test('races', RACES, 64)
      .option(
        '--increments <n>',
        'how often a counter is raised in all',
        integerFrom(1, 100_000_000),
        100_000,
      )
      .option('--urns <n>', 'entities that all writers write to', integerFrom(3, 10_000), 16)
      .option('--distributed', 'over the six apps, the proxy and their servers', false);
    test('fuzz', FUZZ, 16).option(
      '--requests <n>',
      'how many requests are sent in all',
      integerFrom(10, 100_000_000),
      50_000,
    );
  });
}

function parseNames<Name extends string>(text: string, names: readonly Name[]): readonly Name[] {
  return text.split(',').map((each) => {
    const found = names.find((known) => known === each);
    if (found === undefined) throw new InvalidArgumentError(`Allowed: ${names.join(', ')}.`);
    return found;
  });
}
