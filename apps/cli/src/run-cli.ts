import { InvalidModelError } from '@stratalog/domain';
import { Command, CommanderError, Help, type Option } from 'commander';
import { InterruptedError, NoAnswerError } from './connection/call-errors';
import { addCompleteCommand } from './commands/setup/complete';
import { addCompletionCommand } from './commands/setup/completion';
import { addDeleteCommand } from './commands/writing/delete';
import { addExistsCommand } from './commands/reading/exists';
import { addGetCommand } from './commands/reading/get';
import { addHistoryCommand } from './commands/reading/history';
import { addInitCommand } from './commands/setup/init';
import { addLoadCommand } from './commands/writing/load';
import { addModelCommands } from './commands/model/model';
import { addPutCommands } from './commands/writing/put';
import { addRebuildCommand } from './commands/setup/rebuild';
import { addAuditCommand } from './commands/operations/audit';
import { addDeadLettersCommands } from './commands/operations/dead-letters';
import { addLogCommands } from './commands/operations/log';
import { addRestoreCommand } from './commands/operations/restore';
import { addSizesCommand } from './commands/operations/sizes';
import { addStoreCommands } from './commands/operations/store';
import { addTasksCommands } from './commands/operations/tasks';
import { addTestCommands } from './commands/tests/tests';
import { addTruncateCommand } from './commands/operations/truncate';
import { addRollbackCommand } from './commands/writing/rollback';
import { addBrowseCommand } from './commands/reading/browse';
import { addLineageCommand } from './commands/reading/lineage';
import { addRunsCommand } from './commands/reading/runs';
import { addShowCommand } from './commands/reading/show';
import { addSearchCommand } from './commands/reading/search';
import { addStatusCommand } from './commands/reading/status';
import { addTimelineCommand } from './commands/reading/timeline';
import { addTokenCommand } from './commands/setup/token';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from './exit-code';
import { NotedOutput } from './noted-output';
import { prettyJson } from './output/pretty-json';
import { printable, printableLines } from './output/printable';
import { PROGRAM } from './program';
import type { Terminal } from './terminal';
import { VERSION } from './version';

const EXIT_CODES = `
Exit codes: 0 done, 1 something was rejected, not found or not ready, 2 wrong usage, 3 no catalog answered, 130 stopped by Ctrl-C.`;

/** Ends every message about invalid arguments. */
const HELP_HINT = '(--help after the command shows its arguments, options and examples)';

/**
 * Runs one command line (without the program's own name) and returns its exit code. With `--json`, standard output has JSON also when the command fails
 * before it printed any.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (!args.includes('--json')) return runCommand(args, terminal);
  const [stdout, stderr] = [new NotedOutput(terminal.stdout), new NotedOutput(terminal.stderr)];
  const exitCode = await runCommand(args, { ...terminal, stdout, stderr });
  if (exitCode !== EXIT.ok && stdout.written === '') {
    terminal.stdout.write(`${prettyJson({ error: stderr.written.trim(), exitCode })}\n`);
  }
  return exitCode;
}

async function runCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  const program = buildProgram(terminal, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    // Commander has already printed the error, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const failure = toFailure(error);
    terminal.stderr.write(`${printable(failure.message)}\n`);
    return failure.exitCode;
  }
}

function buildProgram(terminal: Terminal, setExitCode: SetExitCode): Command {
  const program = new Command(PROGRAM)
    .description('Loads metadata into a Stratalog catalog, reads and changes it, and searches it.')
    .version(VERSION, '-V, --version', 'print the version')
    // Otherwise the program itself would take `--version` of `get --version 2`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(printableLines(text)),
    })
    .configureHelp({ optionDescription: describeOption })
    .showHelpAfterError(HELP_HINT)
    .addHelpText('after', EXIT_CODES);
  addLoadCommand(program, terminal, setExitCode);
  addGetCommand(program, terminal, setExitCode);
  addExistsCommand(program, terminal, setExitCode);
  addPutCommands(program, terminal, setExitCode);
  addDeleteCommand(program, terminal, setExitCode);
  addHistoryCommand(program, terminal, setExitCode);
  addTimelineCommand(program, terminal, setExitCode);
  addRunsCommand(program, terminal, setExitCode);
  addRollbackCommand(program, terminal, setExitCode);
  addSearchCommand(program, terminal, setExitCode);
  addShowCommand(program, terminal, setExitCode);
  addBrowseCommand(program, terminal, setExitCode);
  addLineageCommand(program, terminal, setExitCode);
  addStatusCommand(program, terminal, setExitCode);
  addRebuildCommand(program, terminal, setExitCode);
  addRestoreCommand(program, terminal, setExitCode);
  addSizesCommand(program, terminal, setExitCode);
  addTruncateCommand(program, terminal, setExitCode);
  addTasksCommands(program, terminal, setExitCode);
  addDeadLettersCommands(program, terminal, setExitCode);
  addLogCommands(program, terminal, setExitCode);
  addStoreCommands(program, terminal, setExitCode);
  addAuditCommand(program, terminal, setExitCode);
  addTestCommands(program, terminal, setExitCode);
  addModelCommands(program, terminal, setExitCode);
  addTokenCommand(program, terminal, setExitCode);
  addInitCommand(program, terminal, setExitCode);
  addCompletionCommand(program, terminal, setExitCode);
  addCompleteCommand(program, terminal, setExitCode);
  return program;
}

/** Describes an option for the help. An empty list, the default of repeatable options, says nothing to people. */
function describeOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: \[\]\)$/, '');
}

function toFailure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof InterruptedError) return new CommandFailure('interrupted', EXIT.interrupted);
  if (error instanceof InvalidModelError) return new CommandFailure(error.message, EXIT.usage);
  if (error instanceof NoAnswerError) {
    return new CommandFailure(`${error.message}: ${error.advice}`, EXIT.unreachable);
  }
  throw error;
}
