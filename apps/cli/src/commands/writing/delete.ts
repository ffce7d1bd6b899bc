import { Option, type Command } from 'commander';
import { confirm } from '../../confirm';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { entityTypeIn } from '../../entity-type-in';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson, type PrettyObject } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { isThere } from '../reading/exists';
import { propose } from './put';

interface DeleteOptions extends ConnectionOptions {
  readonly hard?: true;
  readonly undo?: true;
  readonly aspect?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** The effect of a deletion, and whether it can be undone. */
interface Deletion {
  readonly what: string;
  readonly isFinal: boolean;
  readonly apply: (client: CatalogClient) => Promise<PrettyObject>;
}

/** Adds `delete`. */
export function addDeleteCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('delete'))
    .description(
      'soft-delete an entity, so that searches leave it out; with --hard delete it with its history',
    )
    .argument('<urn>', 'the entity')
    .addOption(
      new Option('--hard', 'delete all values of all aspects for good').conflicts(['undo', 'aspect']),
    )
    .addOption(new Option('--undo', 'restore a soft-deleted entity').conflicts('aspect'))
    .option('--aspect <name>', 'delete this aspect only (of a timeseries aspect all values)')
    .option('--dry-run', 'only say what would be deleted')
    .option('--yes', 'do not ask')
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} delete urn:li:tag:gold
  ${PROGRAM} delete urn:li:tag:gold --undo
  ${PROGRAM} delete urn:li:tag:gold --hard --dry-run
  ${PROGRAM} delete urn:li:tag:gold --hard --yes
`,
    )
    .action(async (urn: string, options: DeleteOptions) => {
      setExitCode(await deleteCommand(urn, options, terminal));
    });
}

async function deleteCommand(urn: string, options: DeleteOptions, terminal: Terminal): Promise<ExitCode> {
  entityTypeIn(urn);
  return withCatalog(options, { terminal }, async (client) => {
    if (!(await isThere(client, { urn, includeSoftDeleted: true }))) {
      throw new CommandFailure(`there is no entity ${urn}`, EXIT.rejected);
    }
    const { what, isFinal, apply } = await toDeletion(client, urn, options);
    if (options.dryRun === true) {
      write({ urn, wouldDo: what }, `would do: ${what}`, options, terminal);
      return EXIT.ok;
    }
    if (isFinal) await confirm({ what, isConfirmed: options.yes === true }, terminal);
    write({ urn, done: what, ...(await apply(client)) }, `done: ${what}`, options, terminal);
    return EXIT.ok;
  });
}

async function toDeletion(
  client: CatalogClient,
  urn: string,
  { hard, aspect, undo }: DeleteOptions,
): Promise<Deletion> {
  if (hard === true) {
    const names = await readAspectNames(client, urn);
    return {
      what: `delete ${urn} with the whole history of ${names.join(', ')}`,
      isFinal: true,
      apply: async () => (await client.call('POST /entities?action=delete', { urn })).answer,
    };
  }
  if (aspect !== undefined) {
    return {
      what: `delete ${aspect} of ${urn}`,
      isFinal: true,
      apply: async () => {
        const position = await propose(client, { urn, aspect, changeType: 'DELETE' });
        return { aspect, position: position ?? null };
      },
    };
  }
  const removed = undo !== true;
  return {
    what: removed ? `soft-delete ${urn}` : `restore ${urn}`,
    isFinal: false,
    apply: async () => {
      const position = await propose(client, {
        urn,
        aspect: 'status',
        changeType: 'UPSERT',
        value: { removed },
      });
      return { position: position ?? null };
    },
  };
}

async function readAspectNames(client: CatalogClient, urn: string): Promise<string[]> {
  const { answer } = await client.call('GET /entitiesV2/:urn', { urn });
  return Object.keys(answer.aspects);
}

function write(json: PrettyObject, text: string, options: DeleteOptions, terminal: Terminal): void {
  terminal.stdout.write(options.json === true ? `${prettyJson(json)}\n` : `${printable(text)}\n`);
}
