import { InvalidArgumentError, Option, type Command } from 'commander';
import { SCOPES, type JsonObject } from '@stratalog/model';
import { collected, integerFrom } from '../../arguments';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { objectOf, toList, toText } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { formatTime } from '../../output/time';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface TokensOptions extends ConnectionOptions {
  readonly json?: true;
}

interface CreateOptions extends TokensOptions {
  readonly scope: readonly string[];
  readonly actor?: string;
  readonly entityType: readonly string[];
  readonly platform: readonly string[];
  readonly call: readonly string[];
  readonly speaksForOthers?: true;
  readonly expiresDays?: number;
}

interface RotateOptions extends TokensOptions {
  readonly overlapMinutes?: number;
  readonly expiresDays?: number;
}

const HEADINGS = ['id', 'name', 'state', 'scopes', 'expires', 'last used', 'actor'];
const DAY_SECONDS = 86_400;
const MAX_DAYS = 24_000;

/** Adds `create`, `list`, `revoke` and `rotate`. */
export function addTokensCommands(token: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const add = (name: string, description: string): Command =>
    addConnectionOptions(token.command(name))
      .description(description)
      .option('--json', "print the catalog's answer as it is");
  const expiry = (): Option =>
    new Option('--expires-days <n>', 'the token expires after so many days').argParser(
      integerFrom(1, MAX_DAYS),
    );
  add('create', 'make a token, and show it once')
    .argument('<name>', 'what the token is for')
    .addOption(
      new Option('--scope <scope>', `a right of the token, repeatable: ${SCOPES.join(', ')}`)
        .argParser(collectScope)
        .makeOptionMandatory(),
    )
    .option('--actor <urn>', 'the user on whose behalf calls act; the caller unless given')
    .option('--entity-type <type>', 'limit the scopes to an entity type; repeatable', collected, [])
    .option('--platform <name>', 'limit the scopes to entities of a platform; repeatable', collected, [])
    .option('--call <call>', 'limit the scopes to a call, "POST /entities search"; repeatable', collected, [])
    .option('--speaks-for-others', 'calls may name another user in X-DataHub-Actor')
    .addOption(expiry())
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} token create etl --scope read --scope write --expires-days 90
  ${PROGRAM} token create reports --scope read --entity-type dataset
`,
    )
    .action(async (name: string, options: CreateOptions) => {
      setExitCode(await change('createToken', toTokenRequest(name, options), options, terminal));
    });
  add('list', 'list the tokens, the newest first')
    .option('--count <n>', 'list at most so many', integerFrom(1, 1_000), 100)
    .action(async (options: TokensOptions & { readonly count: number }) => {
      setExitCode(await list(options, terminal));
    });
  add('revoke', 'end a token at once')
    .argument('<id>', 'its id')
    .action(async (id: string, options: TokensOptions) => {
      setExitCode(await change('revokeToken', { id }, options, terminal));
    });
  add('rotate', 'give a token a new secret, and show it once')
    .argument('<id>', 'its id')
    .option('--overlap-minutes <n>', 'the old secret stays valid for so long', integerFrom(0, 43_200))
    .addOption(expiry())
    .action(async (id: string, options: RotateOptions) => {
      const { overlapMinutes = 0 } = options;
      const request = { id, overlapSeconds: overlapMinutes * 60, ...toExpiry(options) };
      setExitCode(await change('rotateToken', request, options, terminal));
    });
}

function collectScope(text: string, before: readonly string[] = []): readonly string[] {
  if (SCOPES.some((scope) => scope === text)) return collected(text, before);
  throw new InvalidArgumentError(`Allowed choices are ${SCOPES.join(', ')}.`);
}

function toTokenRequest(name: string, options: CreateOptions): JsonObject {
  const { scope, actor, entityType, platform, call, speaksForOthers } = options;
  return {
    name,
    scopes: [...scope],
    ...(actor === undefined ? {} : { actor }),
    entityTypes: [...entityType],
    platforms: [...platform],
    calls: [...call],
    ...(speaksForOthers === true ? { speaksForOthers } : {}),
    ...toExpiry(options),
  };
}

function toExpiry({ expiresDays }: { readonly expiresDays?: number }): JsonObject {
  return expiresDays === undefined ? {} : { expiresInSeconds: expiresDays * DAY_SECONDS };
}

/** Prints the new secret alone, so that a script can take it. */
function change(
  action: string,
  request: JsonObject,
  options: TokensOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const answer = accepted(await client.action('operations', action, request), client.address);
    const token = objectOf(objectIn(answer, client.address).value);
    const { token: secret, id, name, state } = token;
    if (options.json === true) terminal.stdout.write(`${prettyJson(token)}\n`);
    else if (secret !== undefined) {
      terminal.stderr.write(`token ${toText(id)} "${toText(name)}", shown this once:\n`);
      terminal.stdout.write(`${toText(secret)}\n`);
    } else terminal.stdout.write(`token ${toText(id)} "${toText(name)}" is ${toText(state)}\n`);
    return EXIT.ok;
  });
}

function list(
  { count, ...options }: TokensOptions & { readonly count: number },
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const answer = objectIn(accepted(await client.tokens(count), client.address), client.address);
    const rows = toList(answer.tokens).map((token) => toRow(objectOf(token)));
    terminal.stdout.write(
      options.json === true ? `${prettyJson(answer)}\n` : textTable([HEADINGS, ...rows], terminal.columns),
    );
    return EXIT.ok;
  });
}

function toRow({ id, name, state, scopes, expiresMillis, lastUsedMillis, actor }: JsonObject): string[] {
  const times = [formatTime(expiresMillis), formatTime(lastUsedMillis)];
  return [
    toText(id),
    toText(name),
    toText(state),
    toList(scopes).map(toText).join(','),
    ...times,
    toText(actor),
  ];
}
