import type { JsonValue } from '@stratalog/json';
import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { entityTypeIn } from '../../entity-type-in';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { readValue } from '../../input/read-value';
import { asciiJson } from '../../connection/source-write';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface WriteOptions extends ConnectionOptions {
  readonly value?: string;
  readonly create?: true;
  readonly ifVersion?: number;
  readonly runId?: string;
  readonly json?: true;
}

/** One proposal about one aspect. */
export interface AspectProposal {
  readonly urn: string;
  readonly aspect: string;
  readonly changeType: 'UPSERT' | 'CREATE' | 'PATCH' | 'DELETE';
  readonly value?: JsonValue;
  readonly ifVersion?: number;
  readonly runId?: string;
}

/** Adds `put` and `patch`, which write one aspect. */
export function addPutCommands(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addWriteOptions(program.command('put'), 'the value of the aspect as JSON')
    .description('write one aspect of an entity: the whole value')
    .option('--create', 'fail when the aspect is there already')
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} put urn:li:tag:gold tagProperties --value '{"name":"gold"}'
  ${PROGRAM} put urn:li:corpuser:ada corpUserInfo ada.json --create
  ${PROGRAM} get urn:li:tag:gold --aspect tagProperties | jq .aspects.tagProperties.value | ${PROGRAM} put urn:li:tag:silver tagProperties -
`,
    )
    .action(async (urn: string, aspect: string, file: string | undefined, options: WriteOptions) => {
      const changeType = options.create === true ? 'CREATE' : 'UPSERT';
      setExitCode(await writeCommand({ urn, aspect, changeType }, { file, ...options }, terminal));
    });
  addWriteOptions(program.command('patch'), 'a JSON Patch (RFC 6902): a list of operations')
    .description('change one aspect of an entity: the places that a JSON Patch names')
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} patch 'urn:li:dashboard:(looker,shop)' globalTags --value '[{"op":"add","path":"/tags/urn:li:tag:gold","value":{"tag":"urn:li:tag:gold"}}]'
  ${PROGRAM} patch 'urn:li:dashboard:(looker,shop)' globalTags operations.json --if-version 3
`,
    )
    .action(async (urn: string, aspect: string, file: string | undefined, options: WriteOptions) => {
      setExitCode(await writeCommand({ urn, aspect, changeType: 'PATCH' }, { file, ...options }, terminal));
    });
}

/**
 * Proposes a change and returns the commit's position from the answer. **Errors**: `CommandFailure` with the
 * catalog's rejection.
 */
export async function propose(
  client: CatalogClient,
  { urn, aspect, changeType, value, ifVersion, runId }: AspectProposal,
): Promise<string | undefined> {
  const contentType = changeType === 'PATCH' ? 'application/json-patch+json' : 'application/json';
  const proposal = {
    entityType: entityTypeIn(urn),
    entityUrn: urn,
    changeType,
    aspectName: aspect,
    ...(value === undefined ? {} : { aspect: { value: asciiJson(value), contentType } as const }),
    ...(ifVersion === undefined ? {} : { headers: { 'If-Version-Match': String(ifVersion) } }),
    ...(runId === undefined ? {} : { systemMetadata: { runId } }),
  };
  const { headers } = await client.call('POST /aspects?action=ingestProposal', { proposal });
  return headers.get('X-Stratalog-Position') ?? undefined;
}

function addWriteOptions(command: Command, what: string): Command {
  return addConnectionOptions(command)
    .argument('<urn>', 'the entity')
    .argument('<aspect>', 'the name of the aspect')
    .argument('[file]', `a file with ${what}, or - for standard input`)
    .option('--value <json>', `${what}, instead of a file`)
    .option(
      '--if-version <n>',
      'only if the aspect is still at this version',
      integerFrom(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--run-id <id>', 'the run that this belongs to, so that "rollback" can take it back')
    .option('--json', 'print what was written as JSON, with its position');
}

async function writeCommand(
  target: Pick<AspectProposal, 'urn' | 'aspect' | 'changeType'>,
  { file, value: text, ifVersion, runId, ...options }: WriteOptions & { readonly file: string | undefined },
  terminal: Terminal,
): Promise<ExitCode> {
  const { urn, aspect } = target;
  entityTypeIn(urn);
  const value = await readValue({ file, value: text }, terminal);
  const position = await withCatalog(options, { terminal }, (client) =>
    propose(client, {
      ...target,
      value,
      ...(ifVersion === undefined ? {} : { ifVersion }),
      ...(runId === undefined ? {} : { runId }),
    }),
  );
  terminal.stdout.write(
    options.json === true
      ? `${prettyJson({ urn, aspect, position: position ?? null })}\n`
      : `${printable(`${urn}: ${aspect} is written`)}\n`,
  );
  return EXIT.ok;
}
