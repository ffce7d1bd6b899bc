import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import type { AnswerOf } from '@stratalog/client';
import { CallFailure, orFailure } from '../../connection/call-failure';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, connect, type ConnectionOptions } from '../../connection/connect';
import { requireEntity } from '../../connection/require-entity';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface GetCommandOptions extends ConnectionOptions {
  readonly aspect: readonly string[];
  readonly version?: number;
}

/** Adds `get`. */
export function addGetCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('get'))
    .description('print an entity with its aspects as JSON')
    .argument('<urn>', 'the entity')
    .option('--aspect <name>', 'only this aspect; may be repeated', collected, [])
    .option(
      '--version <n>',
      'the aspect as it was at this version (0 is the latest)',
      integerFrom(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--json', 'print JSON, as it does without')
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} get urn:li:corpuser:ada
  ${PROGRAM} get 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)' --aspect ownership --version 1
`,
    )
    .action(async (urn: string, options: GetCommandOptions) => {
      setExitCode(await getCommand(urn, options, terminal));
    });
}

/** Prints an entity, some of its aspects, or one aspect at a version. */
async function getCommand(urn: string, options: GetCommandOptions, terminal: Terminal): Promise<ExitCode> {
  const client = await connect(options, terminal);
  try {
    if (options.version !== undefined) {
      const read = await readVersion(client, urn, options.aspect, options.version);
      terminal.stdout.write(`${prettyJson(read)}\n`);
      return EXIT.ok;
    }
    const entity = await requireEntity(client, urn, options.aspect);
    terminal.stdout.write(`${prettyJson(entity)}\n`);
    const missing = options.aspect.filter((name) => !(name in entity.aspects));
    if (missing.length === 0) return EXIT.ok;
    throw new CommandFailure(`${urn} has no ${missing.join(', ')}`, EXIT.rejected);
  } finally {
    client.close();
  }
}

async function readVersion(
  client: CatalogClient,
  urn: string,
  aspects: readonly string[],
  version: number,
): Promise<AnswerOf<'GET /aspects/:urn'>> {
  const [aspect] = aspects;
  if (aspect === undefined || aspects.length > 1) {
    throw new CommandFailure('--version needs exactly one --aspect', EXIT.usage);
  }
  const read = await orFailure(client.call('GET /aspects/:urn', { urn, aspect, version }));
  if (!(read instanceof CallFailure)) return read.answer;
  if (read.status !== 404) throw read;
  const which = version === 0 ? 'no' : `no version ${String(version)} of`;
  throw new CommandFailure(`${urn} has ${which} ${aspect}`, EXIT.rejected);
}
