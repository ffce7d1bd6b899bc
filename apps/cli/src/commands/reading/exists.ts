import type { Command } from 'commander';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface ExistsOptions extends ConnectionOptions {
  readonly visible?: true;
  readonly json?: true;
}

/** Adds `exists`. */
export function addExistsCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('exists'))
    .description('say whether an entity is there; exit code 1 when it is not')
    .argument('<urn>', 'the entity')
    .option('--visible', 'a soft-deleted entity does not count')
    .option('--json', 'print true or false')
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} exists urn:li:tag:gold && echo there
  ${PROGRAM} exists urn:li:tag:gold --visible --json
`,
    )
    .action(async (urn: string, options: ExistsOptions) => {
      setExitCode(await existsCommand(urn, options, terminal));
    });
}

/**
 * Checks in the store whether an entity exists. **Errors**: `CommandFailure` with the catalog's rejection.
 */
export async function isThere(
  client: CatalogClient,
  { urn, includeSoftDeleted }: { readonly urn: string; readonly includeSoftDeleted: boolean },
): Promise<boolean> {
  const query = { urn, includeSoftDelete: includeSoftDeleted };
  return (await client.call('POST /entities?action=exists', query)).answer;
}

async function existsCommand(urn: string, options: ExistsOptions, terminal: Terminal): Promise<ExitCode> {
  const found = await withCatalog(options, { terminal }, (client) =>
    isThere(client, { urn, includeSoftDeleted: options.visible !== true }),
  );
  terminal.stdout.write(`${options.json === true ? String(found) : found ? 'yes' : 'no'}\n`);
  return found ? EXIT.ok : EXIT.rejected;
}
