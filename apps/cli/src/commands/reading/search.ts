import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { readCards } from '../../connection/read-cards';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { toSearchPage } from '../../output/search-page';
import { formatSearch } from '../../output/search-text';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface SearchCommandOptions extends ConnectionOptions {
  readonly entity: readonly string[];
  readonly start: number;
  readonly count: number;
  readonly json?: boolean;
}

/** Adds `search`. */
export function addSearchCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('search'))
    .description('search for words, "phrases", prefix* or field:value')
    .argument('<text>', 'what to search for')
    .option('--entity <type>', 'only this entity type; may be repeated', collected, [])
    .option('--count <n>', 'hits on the page', integerFrom(0, 10_000), 10)
    .option('--start <n>', 'offset of the first hit', integerFrom(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
A text that matches nothing also finds near words. "show" prints what is known about a hit.

Examples:
  ${PROGRAM} search orders
  ${PROGRAM} search '"order lines" platform:snowflake' --count 5
  ${PROGRAM} search revenue --entity dashboard --entity chart
`,
    )
    .action(async (text: string, options: SearchCommandOptions) => {
      setExitCode(await searchCommand(text, options, terminal));
    });
}

/** Searches all types at once, or some, and prints the page; exit code 1 means no hits. */
function searchCommand(
  input: string,
  { entity, start, count, json, ...connection }: SearchCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(connection, { terminal }, async (client) => {
    const entities = [...new Set(entity)];
    const { answer } = await client.call('POST /entities?action=searchAcrossEntities', {
      input,
      start,
      count,
      ...(entities.length === 0 ? {} : { entities }),
      searchFlags: { correctSpelling: true },
    });
    const page = toSearchPage(answer);
    if (json === true) {
      terminal.stdout.write(`${prettyJson({ value: answer })}\n`);
    } else {
      const cards = await readCards(
        client,
        page.hits.map(({ urn }) => urn),
      );
      const width = terminal.columns === undefined ? {} : { width: terminal.columns };
      terminal.stdout.write(formatSearch(page, { input, entities, start, cards, ...width }));
    }
    if (page.total > 0) return EXIT.ok;
    if (page.suggestions.length > 0)
      terminal.stderr.write(`did you mean: ${printable(page.suggestions.join(', '))}\n`);
    const searched = entities.length === 0 ? 'all entity types' : entities.join(', ');
    terminal.stderr.write(`nothing found among ${printable(searched)}\n`);
    return EXIT.rejected;
  });
}
