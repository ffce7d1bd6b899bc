import { InvalidModelError } from '@stratalog/model';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { NoAnswerError } from './catalog-client';
import { getCommand, type GetCommandOptions } from './commands/get';
import { loadCommand, type LoadCommandOptions } from './commands/load';
import { addModelCommands } from './commands/model';
import { SEARCHED_ENTITIES, searchCommand, type SearchCommandOptions } from './commands/search';
import { statusCommand } from './commands/status';
import { tokenCommand } from './commands/token';
import { addConnectionOptions, type ConnectionOptions } from './connection';
import { CommandFailure, EXIT, type ExitCode } from './exit-code';
import { printable, printableLines } from './printable';
import type { Terminal } from './terminal';

const EXIT_CODES = `
Exit codes: 0 all done, 1 something was refused or not found, 2 wrong usage, 3 no catalog answered, 130 stopped by Ctrl-C.`;

/** Runs one command line (without the program's own name) and answers with its exit code. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  const program = programOf(terminal, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    // Commander has already said what is wrong, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const failure = failureOf(error);
    terminal.stderr.write(`${printable(failure.message)}\n`);
    return failure.exitCode;
  }
}

type Settle = (exit: ExitCode) => void;

function programOf(terminal: Terminal, settle: Settle): Command {
  const program = new Command('npm run cli --')
    .description('Loads metadata into a Stratalog catalog, reads it, and searches it.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(printableLines(text)),
    })
    .addHelpText('after', EXIT_CODES);
  addLoad(program, terminal, settle);
  addGet(program, terminal, settle);
  addSearch(program, terminal, settle);
  addConnectionOptions(program.command('status'))
    .description('say whether the catalog is ready, which version it is, and how far its index is')
    .action(async (options: ConnectionOptions) => {
      settle(await statusCommand(options, terminal));
    });
  addModelCommands(program, terminal, settle);
  program
    .command('token')
    .description("print the operator's token of a catalog on this machine")
    .option('--data-dir <folder>', "the catalog's data folder (else STRATALOG_DATA_DIR, else .stratalog)")
    .action(async (options: { dataDir?: string }) => {
      settle(await tokenCommand(options, terminal));
    });
  return program;
}

function addLoad(program: Command, terminal: Terminal, settle: Settle): void {
  addConnectionOptions(program.command('load'))
    .description('send a file of proposals: a JSON array or JSON lines, as connectors write them')
    .argument('<file>', 'the file, or - for standard input')
    .option(
      '--concurrency <n>',
      'proposals under way at once; those of one urn keep their order',
      integerFrom(1, 1024),
      64,
    )
    .option(
      '--retries <n>',
      'attempts after the first when the catalog is away or busy',
      integerFrom(0, 100),
      8,
    )
    .option('--rejects <file>', 'where refused records go, with reasons (default: <file>.rejects.jsonl)')
    .option(
      '--wait [seconds]',
      'return when all is searchable, at most this long (60)',
      integerFrom(1, 86_400),
    )
    .addHelpText(
      'after',
      `
Examples:
  npm run cli -- load proposals.json
  gunzip -c proposals.jsonl.gz | npm run -s cli -- load - --wait
`,
    )
    .action(async (file: string, options: Omit<LoadCommandOptions, 'wait'> & { wait?: number | true }) => {
      const { wait: seconds, ...rest } = options;
      const waiting = seconds === undefined ? {} : { wait: seconds === true ? 60 : seconds };
      settle(await loadCommand(file, { ...rest, ...waiting }, terminal));
    });
}

function addGet(program: Command, terminal: Terminal, settle: Settle): void {
  addConnectionOptions(program.command('get'))
    .description('print an entity with its aspects as JSON')
    .argument('<urn>')
    .option('--aspect <name>', 'only this aspect; may be repeated', collected, [])
    .option(
      '--version <n>',
      'the aspect as it was at this version (0 is the latest)',
      integerFrom(0, Number.MAX_SAFE_INTEGER),
    )
    .addHelpText(
      'after',
      `
Examples:
  npm run -s cli -- get urn:li:corpuser:ada
  npm run -s cli -- get 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)' --aspect ownership --version 1
`,
    )
    .action(async (urn: string, options: GetCommandOptions) => {
      settle(await getCommand(urn, options, terminal));
    });
}

function addSearch(program: Command, terminal: Terminal, settle: Settle): void {
  addConnectionOptions(program.command('search'))
    .description('search for words, "phrases", prefix* or field:value')
    .argument('<text>')
    .option(
      '--entity <type>',
      'dataset unless given; may be repeated; all = each type in turn',
      collected,
      [],
    )
    .option('--count <n>', 'hits on the page', integerFrom(0, 10_000), 10)
    .option('--start <n>', 'offset of the first hit', integerFrom(0, Number.MAX_SAFE_INTEGER), 0)
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
Examples:
  npm run cli -- search orders
  npm run cli -- search '"order lines" platform:snowflake' --count 5
  npm run cli -- search revenue --entity all

All types: ${SEARCHED_ENTITIES.join(', ')}
`,
    )
    .action(async (text: string, options: SearchCommandOptions) => {
      settle(await searchCommand(text, options, terminal));
    });
}

function integerFrom(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= low && value <= high) return value;
    throw new InvalidArgumentError(`Must be a whole number from ${String(low)} to ${String(high)}.`);
  };
}

function collected(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof InvalidModelError) return new CommandFailure(error.message, EXIT.usage);
  if (error instanceof NoAnswerError) {
    return new CommandFailure(
      `${error.message}: start one with "npm start", or name another with --server or STRATALOG_URL`,
      EXIT.unreachable,
    );
  }
  throw error;
}
