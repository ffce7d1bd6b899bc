import type { Command } from 'commander';
import type { ExitCode } from '../exit-code';
import type { Terminal } from '../terminal';
import { modelLinesCommand } from './model-lines';
import { modelShowCommand } from './model-show';

/** Adds `model` with its own commands, which read the model's files and need no catalog. */
export function addModelCommands(
  program: Command,
  terminal: Terminal,
  settle: (exit: ExitCode) => void,
): void {
  const model = program
    .command('model')
    .description('look at the model that a catalog reads: models/ and the folders in STRATALOG_MODELS');
  model
    .command('show')
    .description('print what the model holds, or all about one entity, aspect or type')
    .argument('[name]')
    .addHelpText(
      'after',
      `
Examples:
  npm run -s cli -- model show
  npm run -s cli -- model show dataset
  npm run -s cli -- model show upstreamLineage
`,
    )
    .action(async (name: string | undefined) => {
      settle(await modelShowCommand(name, terminal));
    });
  model
    .command('lines')
    .description('print the model as one line for each entity, aspect and type, to keep and to compare')
    .action(async () => {
      settle(await modelLinesCommand(terminal));
    });
}
