import type { Command } from 'commander';
import { readOperatorToken } from '../../connection/data-folder';
import type { ExitCode, SetExitCode } from '../../exit-code';
import { EXIT } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import type { Terminal } from '../../terminal';
import { addTokensCommands } from './manage-tokens';

interface TokenOptions {
  readonly dataDir?: string;
  readonly json?: true;
}

/** Adds `token`, with the commands for tokens of clients. */
export function addTokenCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const token = program
    .command('token')
    .description("print the operator's token of a catalog on this machine, or manage tokens of clients")
    .option('--data-dir <folder>', "the catalog's data folder (else STRATALOG_DATA_DIR, else .stratalog)")
    .option('--json', 'print it as the member token of a JSON object')
    .action(async (options: TokenOptions) => {
      setExitCode(await printOperatorToken(options, terminal));
    });
  addTokensCommands(token, terminal, setExitCode);
}

/** Prints the operator's token of a catalog on this machine, created at its first start. */
async function printOperatorToken({ dataDir, json }: TokenOptions, terminal: Terminal): Promise<ExitCode> {
  const token = await readOperatorToken(dataDir, terminal);
  terminal.stdout.write(`${json === true ? prettyJson({ token }) : token}\n`);
  return EXIT.ok;
}
