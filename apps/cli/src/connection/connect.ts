import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { CatalogClient } from './catalog-client';
import { CommandFailure, EXIT } from '../exit-code';
import type { Terminal } from '../terminal';

/** Where the catalog is and what opens it; every command that talks to one takes these. */
export interface ConnectionOptions {
  readonly server?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

const DEFAULT_SERVER = 'http://127.0.0.1:8080';

export function addConnectionOptions(command: Command): Command {
  return command
    .option('--server <url>', `the catalog's address (else STRATALOG_URL, else ${DEFAULT_SERVER})`)
    .addOption(
      new Option('--token <token>', 'the token to send (else STRATALOG_TOKEN)').conflicts('tokenFile'),
    )
    .option('--token-file <file>', 'read the token from a file');
}

/** **Errors**: {@link CommandFailure} with what is wrong with the address or the token. */
export async function connect(
  { server, token, tokenFile }: ConnectionOptions,
  terminal: Terminal,
  connections = 1,
): Promise<CatalogClient> {
  const known = tokenFile === undefined ? (token ?? terminal.env.STRATALOG_TOKEN) : await tokenIn(tokenFile);
  return new CatalogClient({
    server: serverOf(server, terminal.env.STRATALOG_URL),
    connections,
    ...(known === undefined || known === '' ? {} : { token: checkedToken(known) }),
  });
}

function serverOf(option: string | undefined, variable: string | undefined): URL {
  const [source, text] =
    option !== undefined ? ['--server', option] : ['STRATALOG_URL', variable === '' ? undefined : variable];
  const address = text ?? DEFAULT_SERVER;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new CommandFailure(
    `${source} is "${address}", but must be an address like ${DEFAULT_SERVER}`,
    EXIT.usage,
  );
}

async function tokenIn(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new CommandFailure(`cannot read --token-file: ${(error as Error).message}`, EXIT.usage);
  }
}

/** A header cannot carry anything else; the token itself must not be shown. */
function checkedToken(token: string): string {
  if (/^[\u0021-\u007e]+$/.test(token)) return token;
  throw new CommandFailure('the token has characters other than printable ASCII', EXIT.usage);
}
