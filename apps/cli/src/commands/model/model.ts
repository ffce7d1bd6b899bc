import type { Command } from 'commander';
import { CommandFailure, EXIT, type SetExitCode } from '../../exit-code';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { modelCheckCommand } from './model-check';
import { modelLinesCommand } from './model-lines';
import { modelLoadCommand } from './model-load';
import { modelNotesCommand } from './model-notes';
import { modelShowCommand } from './model-show';

interface JsonOption {
  readonly json?: true;
}

interface CheckOptions extends JsonOption {
  readonly extension?: true;
}

/** Adds `model` with its own commands, which read the model's files and need no catalog. */
export function addModelCommands(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const model = program
    .command('model')
    .description('show the model that a catalog reads: models/ and the folders in STRATALOG_MODELS');
  model
    .command('show')
    .description('print what the model holds, or all about one entity, aspect or type')
    .argument('[name]')
    .option('--json', 'print the same as JSON: with a name a list, as it may mean several things')
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} model show
  ${PROGRAM} model show dataset
  ${PROGRAM} model show upstreamLineage --json
`,
    )
    .action(async (name: string | undefined, { json }: JsonOption) => {
      setExitCode(await modelShowCommand(name, { isJson: json === true }, terminal));
    });
  model
    .command('check')
    .description(
      'list what changed from one model folder to another; exit code 1 when something breaks. Without folders: what of the model ' +
        'is not understood, and what has no effect',
    )
    .argument('[old]')
    .argument('[new]')
    .option('--extension', 'both are folders for STRATALOG_MODELS, read after the built-in model')
    .option('--json', 'print the same as JSON')
    .action(async (old: string | undefined, next: string | undefined, options: CheckOptions) => {
      const isJson = options.json === true;
      if (old === undefined) setExitCode(await modelNotesCommand(isJson, terminal));
      else if (next === undefined) throw new CommandFailure("missing required argument 'new'", EXIT.usage);
      else {
        const isExtension = options.extension === true;
        setExitCode(await modelCheckCommand(old, next, { isExtension, isJson }, terminal));
      }
    });
  model
    .command('load')
    .description(
      'read a foreign tree of model files and say what of it is understood; exit code 1 when not all is',
    )
    .argument('<folder>')
    .option('--json', 'print the same as JSON')
    .action(async (folder: string, { json }: JsonOption) => {
      setExitCode(await modelLoadCommand(folder, { isJson: json === true }, terminal));
    });
  model
    .command('lines')
    .description('print the model as one line for each entity, aspect and type, to keep and to compare')
    .option('--json', 'print the lines as a list of JSON')
    .action(async ({ json }: JsonOption) => {
      setExitCode(await modelLinesCommand({ isJson: json === true }, terminal));
    });
}
