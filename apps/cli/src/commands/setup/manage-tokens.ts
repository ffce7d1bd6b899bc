import { InvalidArgumentError, Option, type Command } from 'commander';
import type { AnswerOf, ParametersOf } from '@stratalog/client';
import { SCOPES, type Scope } from '@stratalog/domain';
import { collected, integerFrom } from '../../arguments';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { formatTime } from '../../output/time';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface TokensOptions extends ConnectionOptions {
  readonly json?: true;
}

interface CreateOptions extends TokensOptions {
  readonly scope: readonly Scope[];
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

type Token = AnswerOf<'GET /operations/tokens'>['tokens'][number];
/** The answer of a call that changes a token; only one that makes a secret has it. */
interface Reply {
  readonly answer: Token & { readonly token?: string };
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
      const create = (client: CatalogClient): Promise<Reply> =>
        client.call('POST /operations?action=createToken', toTokenRequest(name, options));
      setExitCode(await change(create, options, terminal));
    });
  add('list', 'list the tokens, the newest first')
    .option('--count <n>', 'list at most so many', integerFrom(1, 1_000), 100)
    .action(async (options: TokensOptions & { readonly count: number }) => {
      setExitCode(await list(options, terminal));
    });
  add('revoke', 'end a token at once')
    .argument('<id>', 'its id')
    .action(async (id: string, options: TokensOptions) => {
      const revoke = (client: CatalogClient): Promise<Reply> =>
        client.call('POST /operations?action=revokeToken', { id });
      setExitCode(await change(revoke, options, terminal));
    });
  add('rotate', 'give a token a new secret, and show it once')
    .argument('<id>', 'its id')
    .option('--overlap-minutes <n>', 'the old secret stays valid for so long', integerFrom(0, 43_200))
    .addOption(expiry())
    .action(async (id: string, options: RotateOptions) => {
      const { overlapMinutes = 0 } = options;
      const request = { id, overlapSeconds: overlapMinutes * 60, ...toExpiry(options) };
      const rotate = (client: CatalogClient): Promise<Reply> =>
        client.call('POST /operations?action=rotateToken', request);
      setExitCode(await change(rotate, options, terminal));
    });
}

function collectScope(text: string, before: readonly Scope[] = []): readonly Scope[] {
  const scope = SCOPES.find((each) => each === text);
  if (scope !== undefined) return [...before, scope];
  throw new InvalidArgumentError(`Allowed choices are ${SCOPES.join(', ')}.`);
}

function toTokenRequest(
  name: string,
  options: CreateOptions,
): ParametersOf<'POST /operations?action=createToken'> {
  const { scope, actor, entityType, platform, call, speaksForOthers } = options;
  return {
    name,
    scopes: [...scope],
    actor,
    entityTypes: [...entityType],
    platforms: [...platform],
    calls: [...call],
    speaksForOthers,
    ...toExpiry(options),
  };
}

function toExpiry({ expiresDays }: { readonly expiresDays?: number }): {
  readonly expiresInSeconds?: number;
} {
  return expiresDays === undefined ? {} : { expiresInSeconds: expiresDays * DAY_SECONDS };
}

/** Prints the new secret alone, so that a script can take it. */
function change(
  call: (client: CatalogClient) => Promise<Reply>,
  options: TokensOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer: token } = await call(client);
    const { token: secret, id, name, state } = token;
    if (options.json === true) terminal.stdout.write(`${prettyJson(token)}\n`);
    else if (secret !== undefined) {
      terminal.stderr.write(`token ${id} "${name}", shown this once:\n`);
      terminal.stdout.write(`${secret}\n`);
    } else terminal.stdout.write(`token ${id} "${name}" is ${state}\n`);
    return EXIT.ok;
  });
}

function list(
  { count, ...options }: TokensOptions & { readonly count: number },
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer } = await client.call('GET /operations/tokens', { count });
    const rows = answer.tokens.map(toRow);
    terminal.stdout.write(
      options.json === true ? `${prettyJson(answer)}\n` : textTable([HEADINGS, ...rows], terminal.columns),
    );
    return EXIT.ok;
  });
}

function toRow({ id, name, state, scopes, expiresMillis, lastUsedMillis, actor }: Token): string[] {
  return [id, name, state, scopes.join(','), formatTime(expiresMillis), formatTime(lastUsedMillis), actor];
}
