import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import { addConnectionOptions, connect, type ConnectionOptions } from '../../connection/connect';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { parseSearchPage } from '../../output/search-page';
import { formatSearch } from '../../output/search-text';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface SearchCommandOptions extends ConnectionOptions {
  readonly entity: readonly string[];
  readonly all?: boolean;
  readonly start: number;
  readonly count: number;
  readonly json?: boolean;
  readonly correct?: boolean;
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
export function addSearchCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('search'))
    .description('search for words, "phrases", prefix* or field:value')
    .argument('<text>', 'what to search for')
    .option(
      '--entity <type>',
      'dataset unless given; may be repeated; all = each type in turn',
      collected,
      [],
    )
    .option('--all', 'all types at once, the best hits first')
    .option('--count <n>', 'hits on the page', integerFrom(0, 10_000), 10)
    .option('--start <n>', 'offset of the first hit', integerFrom(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--correct', 'also finds near words when nothing else matches')
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} search orders
  ${PROGRAM} search '"order lines" platform:snowflake' --count 5
  ${PROGRAM} search revenue --all

All types: ${SEARCHED_ENTITIES.join(', ')}
`,
    )
    .action(async (text: string, options: SearchCommandOptions) => {
      setExitCode(await searchCommand(text, options, terminal));
    });
}

/** Searches all types at once, or each entity type in turn, and prints a table each; exit code 1 means no hits. */
async function searchCommand(
  input: string,
  options: SearchCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const client = await connect(options, terminal);
  const { start, count, all = false, correct: correctSpelling = false } = options;
  const query = { input, start, count, ...(correctSpelling ? { searchFlags: { correctSpelling } } : {}) };
  const searches = all
    ? [{ title: 'all types', answer: () => client.searchAcross(query) }]
    : entitiesOf(options.entity).map((entity) => ({
        title: entity,
        answer: () => client.search({ ...query, entity }),
      }));
  const suggested = new Set<string>();
  let found = 0;
  try {
    for (const { title, answer } of searches) {
      const body = objectIn(accepted(await answer(), client.address), client.address);
      const page = parseSearchPage(body);
      found += page.total;
      for (const text of page.suggestions) suggested.add(text);
      if (options.json === true) terminal.stdout.write(`${prettyJson(body)}\n`);
      else if (page.total > 0)
        terminal.stdout.write(formatSearch(page, { entity: title, start, ...widthOf(terminal) }));
    }
  } finally {
    client.close();
  }
  if (suggested.size > 0) terminal.stderr.write(`did you mean: ${printable([...suggested].join(', '))}\n`);
  if (found > 0) return EXIT.ok;
  const searched = searches.map(({ title }) => title).join(', ');
  terminal.stderr.write(`nothing found among ${printable(searched)}\n`);
  return EXIT.rejected;
}

function widthOf({ columns }: Terminal): { width?: number } {
  return columns === undefined ? {} : { width: columns };
}

function entitiesOf(wanted: readonly string[]): readonly string[] {
  if (wanted.length === 0) return ['dataset'];
  return [...new Set(wanted.flatMap((name) => (name === 'all' ? SEARCHED_ENTITIES : [name])))];
}
