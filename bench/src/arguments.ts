import { parseTool, type Usage } from '@stratalog/local-stack';
import type { Command } from 'commander';
import { SHAPES, type Shape } from './load/shaped-writes';

/** The benches; those with true measure either profile. */
const BENCHES = {
  ingest: ['writes over HTTP beside bare SQL, write to searchable, single reads, memory', true],
  read: [
    'entities of ten aspects, versions in histories of 1,000, ranges of them, entities as they were',
    false,
  ],
  search: ['100,000 datasets: loading, building the index, queries by number of matches', true],
  pipeline: [
    'distributed: proposals on Kafka until committed, until searchable, with 1, 2 and 3 writers',
    false,
  ],
  timeseries: [
    '1,000,000 timeseries values of one table over five years: writing, the latest, ranges, deleting',
    false,
  ],
  validate: ['reading the model, checking values against it, on one core', false],
  'first-answer': ['from `git clone` to the first search answer', false],
} as const;
type Bench = keyof typeof BENCHES;

const SHAPE_TEXTS: Readonly<Record<Shape, string>> = {
  plain: 'single proposals',
  batch: 'batches of 200 proposals',
  snapshot: '50 legacy snapshots a request',
  patch: 'patches',
  conditional: 'proposals on the condition of a version',
};

export interface BenchArguments {
  readonly kind: 'bench';
  readonly bench: Bench;
  readonly quick: boolean;
  readonly distributed: boolean;
  /** For ingest: the ways of writing to measure; none selects the whole bench. */
  readonly shapes: readonly Shape[];
  readonly profileFolder?: string;
}

type Options = Partial<Readonly<Record<Shape | 'quick' | 'distributed', boolean>>> & {
  readonly profile?: string;
};

export function parseArguments(args: readonly string[]): BenchArguments | Usage {
  return parseTool<BenchArguments>(args, (tool, choose) => {
    tool
      .name('npm run bench --')
      .addHelpText(
        'after',
        '\nOne JSON line for each measurement on standard output; progress and a table of goals on standard error. See docs/benchmarks.md.',
      );
    for (const bench of Object.keys(BENCHES) as Bench[]) {
      declareBench(tool, bench).action((options: Options, command: Command) => {
        const { quick = false, distributed = false, profile } = options;
        const shapes = SHAPES.filter((shape) => options[shape] === true);
        if (distributed && (shapes.length > 0 || profile !== undefined))
          command.error('error: --distributed measures neither single ways of writing nor profiles');
        const profiled = profile === undefined ? {} : { profileFolder: profile };
        choose({ kind: 'bench', bench, quick, distributed, shapes, ...profiled });
      });
    }
  });
}

function declareBench(tool: Command, bench: Bench): Command {
  const [description, isOfBothProfiles] = BENCHES[bench];
  const command = tool
    .command(bench)
    .description(description)
    .option('--quick', 'small and short: shows that everything runs, its figures mean nothing');
  if (isOfBothProfiles)
    command.option('--distributed', 'the distributed catalog with its servers on this machine');
  if (bench !== 'pipeline')
    command.option(
      '--profile <dir>',
      'also write CPU profiles of the catalog process there, one for each case',
    );
  if (bench === 'ingest') {
    for (const shape of SHAPES) command.option(`--${shape}`, `only this way to write: ${SHAPE_TEXTS[shape]}`);
  }
  return command;
}
