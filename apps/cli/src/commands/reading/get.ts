import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import type { JsonObject } from '@stratalog/model';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, connect, type ConnectionOptions } from '../../connection/connect';
import { requireEntity } from '../../connection/require-entity';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { objectOf } from '../../output/json-parts';
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
    const body =
      options.version === undefined
        ? await requireEntity(client, urn, options.aspect)
        : await readVersion(client, urn, options.aspect, options.version);
    terminal.stdout.write(`${prettyJson(body)}\n`);
    const missing = options.version === undefined ? missingIn(body, options.aspect) : [];
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
): Promise<JsonObject> {
  const [aspect] = aspects;
  if (aspect === undefined || aspects.length > 1) {
    throw new CommandFailure('--version needs exactly one --aspect', EXIT.usage);
  }
  const answer = await client.aspect(urn, aspect, version);
  if (answer.status === 404) {
    const which = version === 0 ? 'no' : `no version ${String(version)} of`;
    throw new CommandFailure(`${urn} has ${which} ${aspect}`, EXIT.rejected);
  }
  return objectIn(accepted(answer, client.address), client.address);
}

function missingIn(body: JsonObject, wanted: readonly string[]): string[] {
  const present = objectOf(body.aspects);
  return wanted.filter((name) => !(name in present));
}
