import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import { addConnectionOptions, connect, type ConnectionOptions } from '../../connection/connect';
import { EXIT, type ExitCode, type Settle } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { parseSearchPage } from '../../output/search-page';
import { formatSearch } from '../../output/search-text';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface SearchCommandOptions extends ConnectionOptions {
  readonly entity: readonly string[];
  readonly start: number;
  readonly count: number;
  readonly json?: boolean;
}

/** The entity types of `--entity all`: those that people search for, without the catalog's internal ones. */
const SEARCHED_ENTITIES = [
  'dataset',
  'dashboard',
  'chart',
  'dataJob',
  'dataFlow',
  'container',
  'domain',
  'dataProduct',
  'application',
  'semanticModel',
  'metric',
  'mlModelGroup',
  'mlModel',
  'mlFeatureTable',
  'mlFeature',
  'mlPrimaryKey',
  'notebook',
  'document',
  'glossaryTerm',
  'glossaryNode',
  'businessAttribute',
  'tag',
  'service',
  'api',
  'repository',
  'aiAgent',
  'agentSkill',
  'corpuser',
  'corpGroup',
  'dataPlatform',
] as const;

/** Adds `search`. */
export function addSearchCommand(program: Command, terminal: Terminal, settle: Settle): void {
  addConnectionOptions(program.command('search'))
    .description('search for words, "phrases", prefix* or field:value')
    .argument('<text>')
    .option(
      '--entity <type>',
      'dataset unless given; may be repeated; all = each type in turn',
      collected,
      [],
    )
    .option('--count <n>', 'hits on the page', integerFrom(0, 10_000), 10)
    .option('--start <n>', 'offset of the first hit', integerFrom(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} search orders
  ${PROGRAM} search '"order lines" platform:snowflake' --count 5
  ${PROGRAM} search revenue --entity all

All types: ${SEARCHED_ENTITIES.join(', ')}
`,
    )
    .action(async (text: string, options: SearchCommandOptions) => {
      settle(await searchCommand(text, options, terminal));
    });
}

/** Searches each entity type in turn and prints a table each; exit code 1 means no hits. */
async function searchCommand(
  input: string,
  options: SearchCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const client = await connect(options, terminal);
  const { start, count } = options;
  const entities = entitiesOf(options.entity);
  let found = 0;
  try {
    for (const entity of entities) {
      const answer = accepted(await client.search({ entity, input, start, count }), client.address);
      const body = objectIn(answer, client.address);
      const page = parseSearchPage(body);
      found += page.total;
      if (options.json === true) terminal.stdout.write(`${prettyJson(body)}\n`);
      else if (page.total > 0)
        terminal.stdout.write(formatSearch(page, { entity, start, ...widthOf(terminal) }));
    }
  } finally {
    client.close();
  }
  if (found > 0) return EXIT.ok;
  terminal.stderr.write(`nothing found among ${printable(entities.join(', '))}\n`);
  return EXIT.rejected;
}

function widthOf({ columns }: Terminal): { width?: number } {
  return columns === undefined ? {} : { width: columns };
}

function entitiesOf(wanted: readonly string[]): readonly string[] {
  if (wanted.length === 0) return ['dataset'];
  return [...new Set(wanted.flatMap((name) => (name === 'all' ? SEARCHED_ENTITIES : [name])))];
}
