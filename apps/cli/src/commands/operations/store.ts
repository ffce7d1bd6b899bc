import type { Command } from 'commander';
import { confirm } from '../../confirm';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface RestoredOptions extends ConnectionOptions {
  readonly yes?: true;
  readonly json?: true;
}

/** Adds `store` with its command. */
export function addStoreCommands(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const store = program.command('store').description('say what happened to the store');
  addConnectionOptions(store.command('restored'))
    .description(
      'the store was put back to an older state: build every index again, and reject positions of before',
    )
    .option('--yes', 'do not ask')
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `\nNeeds a token with the scope operate, such as the operator's: "${PROGRAM} token" prints that of a catalog on this machine.\n`,
    )
    .action(async (options: RestoredOptions) => {
      setExitCode(await declareRestored(options, terminal));
    });
}

function declareRestored(options: RestoredOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const what = 'Every index is built again, and positions that clients have are rejected';
    await confirm({ what, isConfirmed: options.yes === true }, terminal);
    const { answer } = await client.call('POST /operations?action=declareRestored');
    const told = `the store is in epoch ${String(answer.epoch)}; "${PROGRAM} status" shows when every index is live again`;
    terminal.stdout.write(`${options.json === true ? prettyJson(answer) : told}\n`);
    return EXIT.ok;
  });
}
