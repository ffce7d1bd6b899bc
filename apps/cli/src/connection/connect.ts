import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { CommandFailure, EXIT } from '../exit-code';
import type { Terminal } from '../terminal';
import { CatalogClient, type CatalogClientOptions } from './catalog-client';
import { findLocalCatalog, type LocalCatalog } from './data-folder';
import { tellWarnings } from './warnings';
import { readProfiles, type Profile } from './profiles';

/** Address and token of the catalog; every command that connects takes these. */
export interface ConnectionOptions {
  readonly server?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly profile?: string;
  readonly dataDir?: string;
}

export interface ConnectSizes extends Pick<CatalogClientOptions, 'connections' | 'timeoutMs' | 'onAnswer'> {
  /** True: calls under way are answered also after Ctrl-C, which the command itself notices. */
  readonly finishesCalls?: true;
}

export const DEFAULT_SERVER = 'http://127.0.0.1:8080';

export function addConnectionOptions(command: Command): Command {
  return command
    .option(
      '--server <url>',
      `the catalog's address (else STRATALOG_URL, that of the profile, that in the data folder, ${DEFAULT_SERVER})`,
    )
    .addOption(
      new Option(
        '--token <token>',
        "the token to send (else STRATALOG_TOKEN, that of the profile, the operator's in the data folder)",
      ).conflicts('tokenFile'),
    )
    .option('--token-file <file>', 'read the token from a file, - for standard input')
    .option(
      '--profile <name>',
      'a profile that "init" made (else STRATALOG_CLI_PROFILE, else the default one)',
    )
    .option(
      '--data-dir <folder>',
      'the data folder of a catalog on this machine (else STRATALOG_DATA_DIR, else .stratalog)',
    );
}

/**
 * Creates a client from flags, environment, profiles and the data folder of a catalog on this machine, in this order; a profile that a flag
 * names comes before the environment.
 *
 * Prints the catalog's warnings about unknown names on standard error for every command, unless `onAnswer` is
 * given.
 *
 * Sends a profile's token to the profile's server only, and the operator's token of a data folder to the folder's catalog only.
 *
 * **Errors**: {@link CommandFailure} that explains the fault of the address, the token or the profile.
 */
export async function connect(
  options: ConnectionOptions,
  terminal: Terminal,
  { finishesCalls, ...sizes }: ConnectSizes = {},
): Promise<CatalogClient> {
  const profile = await findProfile(options, terminal);
  const local = await findLocalCatalog(options.dataDir, terminal);
  const server = findServer(options, terminal, { profile, local });
  const token =
    (await findToken(options, terminal, profile)) ??
    profileToken(profile?.profile, server) ??
    (local?.server.href === server.href ? local.token : undefined);
  return new CatalogClient({
    server,
    onAnswer: (answer) => {
      tellWarnings(terminal, answer);
    },
    ...sizes,
    ...(finishesCalls === true ? {} : { interrupted: terminal.interrupted }),
    ...(token === undefined ? {} : { token: checkedToken(token) }),
  });
}

/** Parses an address. **Errors**: {@link CommandFailure} that names the source of the text. */
export function parseServer(address: string, source: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new CommandFailure(
    `${source} is "${withoutPassword(address)}", but must be an address like ${DEFAULT_SERVER}`,
    EXIT.usage,
  );
}

/** Hides the text before an @, which may be a password, whether the rest is an address or not. */
function withoutPassword(address: string): string {
  return address.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@');
}

/**
 * Returns the token from flags or the environment. **Errors**: {@link CommandFailure} when its file cannot be
 * read.
 */
export async function givenToken(
  { token, tokenFile }: ConnectionOptions,
  terminal: Terminal,
): Promise<string | undefined> {
  const given =
    tokenFile === undefined ? (token ?? terminal.env.STRATALOG_TOKEN) : await tokenIn(tokenFile, terminal);
  return given === undefined || given === '' ? undefined : checkedToken(given);
}

interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
  /** By a flag, which comes before the environment. */
  readonly isFlag: boolean;
}

async function findProfile(
  { profile: flag }: ConnectionOptions,
  terminal: Terminal,
): Promise<NamedProfile | undefined> {
  const file = await readProfiles(terminal);
  const variable = terminal.env.STRATALOG_CLI_PROFILE;
  const wanted = flag ?? (variable === '' ? undefined : variable);
  const name = wanted ?? file.default;
  if (name === undefined) return undefined;
  const profile = Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
  if (profile !== undefined) return { name, profile, isFlag: flag !== undefined };
  const names = Object.keys(file.profiles);
  throw new CommandFailure(
    `there is no profile "${name}": ` +
      (names.length === 0 ? 'there are none, "init" makes one' : `there are ${names.join(', ')}`),
    EXIT.usage,
  );
}

function findServer(
  { server }: ConnectionOptions,
  { env }: Terminal,
  {
    profile,
    local,
  }: { readonly profile: NamedProfile | undefined; readonly local: LocalCatalog | undefined },
): URL {
  if (server !== undefined) return parseServer(server, '--server');
  const variable = env.STRATALOG_URL;
  if (profile?.isFlag !== true && variable !== undefined && variable !== '') {
    return parseServer(variable, 'STRATALOG_URL');
  }
  return profile === undefined
    ? (local?.server ?? new URL(DEFAULT_SERVER))
    : parseServer(profile.profile.server, `the server of the profile "${profile.name}"`);
}

async function findToken(
  options: ConnectionOptions,
  terminal: Terminal,
  profile: NamedProfile | undefined,
): Promise<string | undefined> {
  const isFlag = options.token !== undefined || options.tokenFile !== undefined;
  if (!isFlag && profile?.isFlag === true && profile.profile.token !== undefined) return undefined;
  return givenToken(options, terminal);
}

function profileToken(profile: Profile | undefined, server: URL): string | undefined {
  if (profile?.token === undefined || !URL.canParse(profile.server)) return undefined;
  return new URL(profile.server).href === server.href ? profile.token : undefined;
}

async function tokenIn(file: string, terminal: Terminal): Promise<string> {
  if (file === '-') return (await text(terminal.stdin)).trim();
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new CommandFailure(`cannot read --token-file: ${(error as Error).message}`, EXIT.usage);
  }
}

/** A header accepts no other characters; the message must not show the token. */
function checkedToken(token: string): string {
  if (/^[\u0021-\u007e]+$/.test(token)) return token;
  throw new CommandFailure('the token has characters other than printable ASCII', EXIT.usage);
}
