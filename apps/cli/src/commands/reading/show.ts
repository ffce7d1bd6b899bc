import type { Command } from 'commander';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { readCards } from '../../connection/read-cards';
import { requireEntity } from '../../connection/require-entity';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { toCard, type EntityCard } from '../../output/entity-card';
import { formatEntity } from '../../output/entity-text';
import { prettyJson } from '../../output/pretty-json';
import { toSearchPage } from '../../output/search-page';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface ShowOptions extends ConnectionOptions {
  readonly json?: true;
}

/** Entities that a name is compared with, and that a message lists. */
const CANDIDATES = 10;

/** Adds `show`. */
export function addShowCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('show'))
    .description('print an entity as a person reads it; by its name or its urn')
    .argument('<name>', 'the name of the entity, or its urn')
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} show sales_daily
  ${PROGRAM} show urn:li:tag:pii
`,
    )
    .action(async (name: string, options: ShowOptions) => {
      setExitCode(await showCommand(name, options, terminal));
    });
}

function showCommand(name: string, { json, ...options }: ShowOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const urn = name.startsWith('urn:') ? name : await findByName(client, name);
    const entity = await requireEntity(client, urn);
    terminal.stdout.write(
      json === true ? `${prettyJson(entity)}\n` : formatEntity(urn, entity.aspects, terminal.columns),
    );
    return EXIT.ok;
  });
}

/** Returns the urn of the one entity with this name. **Errors**: {@link CommandFailure} that lists those that may be meant. */
async function findByName(client: CatalogClient, name: string): Promise<string> {
  const input = `"${name.replace(/["\\]/g, '\\$&')}"`;
  const query = { input, start: 0, count: CANDIDATES, searchFlags: { correctSpelling: true } };
  const page = toSearchPage((await client.call('POST /entities?action=searchAcrossEntities', query)).answer);
  const cards = await readCards(
    client,
    page.hits.map(({ urn }) => urn),
  );
  const wanted = name.toLowerCase();
  const named = [...cards.values()].filter(({ name: own, urn }) =>
    [own, toCard(urn).name].some((text) => text.toLowerCase() === wanted),
  );
  const found = named.length > 0 ? named : page.fallback === undefined ? [...cards.values()] : [];
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.urn;
  throw new CommandFailure(
    found.length === 0
      ? `nothing is called ${name}: "${PROGRAM} search" finds entities by words`
      : `several entities may be ${name}; name one by its urn: ${listCards(found)}`,
    EXIT.rejected,
  );
}

function listCards(cards: readonly EntityCard[]): string {
  return cards.map(({ urn }) => urn).join(', ');
}
