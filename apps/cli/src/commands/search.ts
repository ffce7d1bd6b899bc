import { accepted } from '../accepted';
import { objectIn } from '../answer-json';
import { connect, type ConnectionOptions } from '../connection';
import { EXIT, type ExitCode } from '../exit-code';
import { prettyJson } from '../pretty-json';
import { printable } from '../printable';
import { searchPageOf } from '../search-page';
import { searchTextOf } from '../search-text';
import type { Terminal } from '../terminal';

export interface SearchCommandOptions extends ConnectionOptions {
  readonly entity: readonly string[];
  readonly start: number;
  readonly count: number;
  readonly json?: boolean;
}

/** What `--entity all` stands for: what people look for, not what the catalog keeps for itself. */
export const SEARCHED_ENTITIES = [
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

/** Searches each entity type in turn and prints a table each; exit code 1 says that nothing was found. */
export async function searchCommand(
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
      const page = searchPageOf(body);
      found += page.total;
      if (options.json === true) terminal.stdout.write(`${prettyJson(body)}\n`);
      else if (page.total > 0)
        terminal.stdout.write(searchTextOf(page, { entity, start, ...widthOf(terminal) }));
    }
  } finally {
    client.close();
  }
  if (found > 0) return EXIT.ok;
  terminal.stderr.write(`nothing found among ${printable(entities.join(', '))}\n`);
  return EXIT.refused;
}

function widthOf({ columns }: Terminal): { width?: number } {
  return columns === undefined ? {} : { width: columns };
}

function entitiesOf(wanted: readonly string[]): readonly string[] {
  if (wanted.length === 0) return ['dataset'];
  return [...new Set(wanted.flatMap((name) => (name === 'all' ? SEARCHED_ENTITIES : [name])))];
}
