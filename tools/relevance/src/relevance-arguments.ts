import { integerFrom, parseTool, type Usage } from '@stratalog/local-stack';
import { Option } from 'commander';
import { ENGINES, type Engine } from './report/baseline';

export interface RelevanceOptions {
  readonly size: number;
  readonly seed: number;
  readonly engine: Engine;
  /** File for all figures. */
  readonly json?: string;
  readonly writeBaseline: boolean;
  /** True when questions are asked instead; a text names a folder of connector files that they are about. */
  readonly questions?: string | true;
  /** File of the questions about the files of that folder. */
  readonly ask?: string;
  readonly writePage: boolean;
}

/** Number of entities and seed of the suites, to which the baseline belongs. */
export const DEFAULT_SIZE = 10_000;
export const DEFAULT_SEED = 1;

const EXAMPLES = `
Prints MRR and nDCG@10 by kind of query, and the ten worst queries.`;

export function parseRelevanceArguments(args: readonly string[]): RelevanceOptions | Usage {
  return parseTool<RelevanceOptions>(args, (tool, choose) => {
    tool
      .name('npm run relevance --')
      .description('Measures how well searches rank, by judged queries over a generated catalog.')
      .option('--size <n>', 'number of entities', integerFrom(2_000, 200_000), DEFAULT_SIZE)
      .option('--seed <n>', 'of the entities besides the core', integerFrom(0, 2 ** 32 - 1), DEFAULT_SEED)
      .addOption(new Option('--engine <name>', 'holds the index').choices(ENGINES).default('postgres'))
      .option('--json <file>', 'writes all figures, query by query')
      .addOption(
        new Option('--write-baseline', 'makes the figures the baseline, and writes them into the page')
          .default(false)
          // The baseline belongs to one catalog of each size.
          .conflicts('seed'),
      )
      .addOption(
        new Option(
          '--questions [folder]',
          'loads the sample catalog and our connector files, or those of a folder, and asks questions of their users',
        ).conflicts(['size', 'seed', 'engine', 'json', 'writeBaseline']),
      )
      .option('--ask <file>', 'has the questions about the files of the folder')
      .option('--write-page', 'writes the answers to the questions into their page', false)
      .addHelpText('after', EXAMPLES)
      .action((options: RelevanceOptions) => {
        const hasFolder = typeof options.questions === 'string';
        if (hasFolder !== (options.ask !== undefined))
          tool.error('--questions <folder> and --ask <file> need each other');
        if (options.writePage && options.questions !== true)
          tool.error('--write-page needs --questions without a folder');
        choose(options);
      });
  });
}
