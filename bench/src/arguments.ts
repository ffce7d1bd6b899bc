import { parseTool, type Usage } from '@stratalog/local-stack';
import { Option, type Command } from 'commander';
import { SHAPES, type Shape } from './load/shaped-writes';

/** The benches; those with true measure either profile. */
const BENCHES = {
  ingest: ['writes over HTTP compared with bare SQL, write to searchable, single reads, memory', true],
  read: [
    'entities of ten aspects, versions in histories of 1,000, ranges of them, entities as they were',
    false,
  ],
  search: [
    '100,000 datasets: loading, building the index, queries by number of matches, filters, orders, facets, completions',
    true,
  ],
  graph: ['lineage over several hops, pages of a hub, compared with a recursive statement', false],
  graphql: [
    'GraphQL beside the Rest.li calls that answer the same: an entity, a page of a search, lineage',
    false,
  ],
  pipeline: [
    'distributed: proposals on Kafka until committed, until searchable, with 1, 2 and 3 writers',
    false,
  ],
  timeseries: [
    '1,000,000 timeseries values of one table over five years, and usage of others: writing, the latest, ranges, statistics, deleting',
    false,
  ],
  restore: [
    '100,000 datasets: each index rebuilt alongside the live one by a task, and writes alongside a truncation',
    false,
  ],
  tests: [
    '10,000 datasets: twenty metadata tests for all of them by a task, and how late results follow single changes',
    true,
  ],
  validate: ['reading the model, checking values against it, on one core', false],
  pages: ['web pages in Chromium: what they load, when they paint, how soon they answer', false],
  'first-answer': ['from `git clone` to the first search answer', false],
} as const;
type Bench = keyof typeof BENCHES;

/** The sizes that a bench of searches or of the graph may measure. */
const SIZES = ['10000', '100000', '1000000'];
/** The numbers of values that the bench of timeseries may measure. */
const VALUES = ['10000000'];

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
  /** For ingest: only what indexing costs. */
  readonly indexing: boolean;
  /** For search and pages: the number of datasets, if named. */
  readonly entities?: number;
  /** For graph: the number of other edges, if named. */
  readonly edges?: number;
  /** For timeseries: the number of stored values, if named. */
  readonly timeseriesValues?: number;
  readonly profileFolder?: string;
}

/** Keeps the figures of a run, instead of measuring. */
export interface RecordArguments {
  readonly kind: 'record';
  readonly file: string;
}

type Options = Partial<Readonly<Record<Shape | 'quick' | 'distributed' | 'indexing', boolean>>> & {
  readonly profile?: string;
  readonly entities?: string;
  readonly edges?: string;
  readonly values?: string;
};

export function parseArguments(args: readonly string[]): BenchArguments | RecordArguments | Usage {
  return parseTool<BenchArguments | RecordArguments>(args, (tool, choose) => {
    tool
      .name('npm run bench --')
      .addHelpText(
        'after',
        '\nOne JSON line for each measurement on standard output; progress and a table of goals on standard error. See docs/benchmarks.md.',
      );
    tool
      .command('record')
      .description('append the JSON lines of a run to docs/benchmarks/measurements.jsonl, and draw the plots')
      .argument('<file>', 'the standard output of a bench')
      .action((file: string) => {
        choose({ kind: 'record', file });
      });
    for (const bench of Object.keys(BENCHES) as Bench[]) {
      declareBench(tool, bench).action((options: Options, command: Command) => {
        const {
          quick = false,
          distributed = false,
          indexing = false,
          profile,
          entities,
          edges,
          values,
        } = options;
        const shapes = SHAPES.filter((shape) => options[shape] === true);
        if (distributed && (shapes.length > 0 || indexing || profile !== undefined))
          command.error('error: --distributed measures neither single ways of writing nor profiles');
        const profiled = profile === undefined ? {} : { profileFolder: profile };
        const sized = {
          ...(entities === undefined ? {} : { entities: Number(entities) }),
          ...(edges === undefined ? {} : { edges: Number(edges) }),
          ...(values === undefined ? {} : { timeseriesValues: Number(values) }),
        };
        choose({ kind: 'bench', bench, quick, distributed, indexing, shapes, ...sized, ...profiled });
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
  if (bench === 'search')
    command.addOption(new Option('--entities <count>', 'as many datasets instead of 100,000').choices(SIZES));
  if (bench === 'pages')
    command.addOption(new Option('--entities <count>', 'as many datasets besides the demo').choices(SIZES));
  if (bench === 'graph')
    command.addOption(new Option('--edges <count>', 'as many other edges instead of 100,000').choices(SIZES));
  if (bench === 'timeseries')
    command.addOption(
      new Option('--values <count>', 'as many stored values instead of 1,030,000').choices(VALUES),
    );
  if (bench === 'ingest') {
    command.option('--indexing', 'only what indexing costs: writes without and with it');
    for (const shape of SHAPES) command.option(`--${shape}`, `only this way to write: ${SHAPE_TEXTS[shape]}`);
  }
  return command;
}
