import type { Command } from 'commander';
import { CallFailure, orFailure } from '../../connection/call-failure';
import { CatalogClient } from '../../connection/catalog-client';
import {
  DEFAULT_SERVER,
  addConnectionOptions,
  givenToken,
  parseServer,
  type ConnectionOptions,
} from '../../connection/connect';
import { profilesPath, readProfiles, writeProfiles, type Profile } from '../../connection/profiles';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { printable } from '../../output/printable';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { isThere } from '../reading/exists';

interface InitOptions extends ConnectionOptions {
  readonly default?: true;
  readonly force?: true;
  readonly check: boolean;
  readonly json?: true;
}

const FIRST_PROFILE = 'default';
/** Read only to check whether reads need a token. */
const ANY_URN = 'urn:li:tag:stratalog';

/** Adds `init`. */
export function addInitCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('init'))
    .description('keep the address of a catalog and its token in a file of yours, as a profile')
    .option('--default', 'make it the profile that counts when none is named (the first one is)')
    .option('--force', 'replace a profile of this name')
    .option('--no-check', 'do not ask the catalog whether it is there and takes the token')
    .option('--json', 'print what was written as JSON, without the token')
    .addHelpText(
      'after',
      `
The file is STRATALOG_CLI_CONFIG, else stratalog/config.json in XDG_CONFIG_HOME or ~/.config; only you can read it.

Examples:
  ${PROGRAM} init --server https://catalog.example.org --token-file token.txt
  pass show catalog | ${PROGRAM} init --profile prod --server https://catalog.example.org --token-file -
  ${PROGRAM} search orders --profile prod
`,
    )
    .action(async (options: InitOptions) => {
      setExitCode(await initCommand(options, terminal));
    });
}

async function initCommand(options: InitOptions, terminal: Terminal): Promise<ExitCode> {
  const path = profilesPath(terminal);
  if (path === undefined) {
    throw new CommandFailure('there is no home folder: name the file by STRATALOG_CLI_CONFIG', EXIT.usage);
  }
  const name = options.profile ?? FIRST_PROFILE;
  const file = await readProfiles(terminal);
  if (Object.hasOwn(file.profiles, name) && options.force !== true) {
    throw new CommandFailure(`${path} has a profile "${name}": --force replaces it`, EXIT.usage);
  }
  const server = await serverFor(options, terminal);
  const token = await givenToken(options, terminal);
  if (options.check) await checkCatalog(server, token, terminal);
  const profile: Profile = {
    server: server.href.replace(/\/+$/, ''),
    ...(token === undefined ? {} : { token }),
  };
  const isDefault = options.default === true || file.default === undefined;
  await writeProfiles(path, {
    default: isDefault ? name : (file.default ?? name),
    profiles: { ...file.profiles, [name]: profile },
  });
  const written = {
    profile: name,
    server: profile.server,
    hasToken: token !== undefined,
    isDefault,
    file: path,
  };
  const text = `the profile "${name}"${isDefault ? ', the default one,' : ''} is in ${path}`;
  terminal.stdout.write(options.json === true ? `${prettyJson(written)}\n` : `${printable(text)}\n`);
  return EXIT.ok;
}

async function serverFor({ server }: InitOptions, terminal: Terminal): Promise<URL> {
  if (server !== undefined) return parseServer(server, '--server');
  const variable = terminal.env.STRATALOG_URL;
  if (variable !== undefined && variable !== '') return parseServer(variable, 'STRATALOG_URL');
  const answer = (await terminal.ask?.(`Address of the catalog [${DEFAULT_SERVER}]: `))?.trim() ?? '';
  return parseServer(answer === '' ? DEFAULT_SERVER : answer, 'the address');
}

/** **Errors**: the server is unreachable, is no catalog, or rejects the token. */
async function checkCatalog(
  server: URL,
  token: string | undefined,
  { interrupted }: Terminal,
): Promise<void> {
  const client = new CatalogClient({ server, interrupted, ...(token === undefined ? {} : { token }) });
  try {
    await client.call('GET /config');
    // A token may be good and permit no such read.
    if (token === undefined) await isThere(client, { urn: ANY_URN, includeSoftDeleted: true });
    else await checkToken(client);
  } finally {
    client.close();
  }
}

/**
 * Checks the token with an administrative call, which needs one in every mode except `none`. In the default
 * mode reads need no token, so a catalog does not check one. Any answer except 401 says nothing about the
 * token: an index may be unreachable.
 */
async function checkToken(client: CatalogClient): Promise<void> {
  const reply = await orFailure(client.call('POST /operations?action=describeIndex', { index: 'search' }));
  if (reply instanceof CallFailure && reply.status === 401) throw reply;
}
