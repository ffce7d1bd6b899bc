import type { Command } from 'commander';
import { collected, integerFrom } from '../../arguments';
import { isJsonObject, type JsonObject } from '@stratalog/model';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, connect, type ConnectionOptions } from '../../connection/connect';
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
        ? await requireEntityType(client, urn, options.aspect)
        : await readVersion(client, urn, options.aspect, options.version);
    terminal.stdout.write(`${prettyJson(body)}\n`);
    const missing = options.version === undefined ? missingIn(body, options.aspect) : [];
    if (missing.length === 0) return EXIT.ok;
    throw new CommandFailure(`${urn} has no ${missing.join(', ')}`, EXIT.rejected);
  } finally {
    client.close();
  }
}

async function requireEntityType(
  client: CatalogClient,
  urn: string,
  aspects: readonly string[],
): Promise<JsonObject> {
  const answer = await client.entity(urn, aspects);
  const body = objectIn(accepted(answer, client.address), client.address);
  if (await isUnknown(client, urn, body)) {
    throw new CommandFailure(`there is no entity ${urn}`, EXIT.rejected);
  }
  return body;
}

/**
 * The catalog answers an unknown urn with its key aspect, as if it existed; only the stored key aspect tells
 * the difference.
 */
async function isUnknown(client: CatalogClient, urn: string, body: JsonObject): Promise<boolean> {
  const names = Object.keys(readAspects(body));
  const [name] = names;
  if (name === undefined) return true;
  if (names.length > 1 || !name.endsWith('Key')) return false;
  return (await client.aspect(urn, name, 0)).status === 404;
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
  const present = readAspects(body);
  return wanted.filter((name) => !(name in present));
}

function readAspects(body: JsonObject): JsonObject {
  const aspects = body.aspects;
  return isJsonObject(aspects) ? aspects : {};
}
