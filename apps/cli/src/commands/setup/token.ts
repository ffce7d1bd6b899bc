import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailure, EXIT, type ExitCode, type Settle } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import type { Terminal } from '../../terminal';

const DEFAULT_DATA_DIR = '.stratalog';
const TOKEN_FILE = 'operator-token';

interface TokenOptions {
  readonly dataDir?: string;
  readonly json?: true;
}

/** Adds `token`. */
export function addTokenCommand(program: Command, terminal: Terminal, settle: Settle): void {
  program
    .command('token')
    .description("print the operator's token of a catalog on this machine")
    .option('--data-dir <folder>', "the catalog's data folder (else STRATALOG_DATA_DIR, else .stratalog)")
    .option('--json', 'print it as the member token of a JSON object')
    .action(async (options: TokenOptions) => {
      settle(await tokenCommand(options, terminal));
    });
}

/** Prints the operator's token of a catalog on this machine, created at its first start. */
async function tokenCommand({ dataDir, json }: TokenOptions, terminal: Terminal): Promise<ExitCode> {
  const file = join(dataDir ?? terminal.env.STRATALOG_DATA_DIR ?? DEFAULT_DATA_DIR, TOKEN_FILE);
  try {
    const token = (await readFile(file, 'utf8')).trim();
    terminal.stdout.write(`${json === true ? prettyJson({ token }) : token}\n`);
    return EXIT.ok;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      code === 'ENOENT'
        ? `there is no ${file}: a catalog makes it at its first start; name its data folder with --data-dir`
        : `cannot read the token: ${message}`,
      EXIT.rejected,
    );
  }
}
