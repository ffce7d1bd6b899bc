import type { ParametersOf } from '@stratalog/client';
import type { Command } from 'commander';
import { confirm } from '../../confirm';
import type { CatalogClient } from '../../connection/catalog-client';
import { withCatalog } from '../../connection/with-catalog';
import { readValue } from '../../input/read-value';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { numberOf } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { addSelection, toSelection, type SelectionOptions } from './dead-letter-selection';
import { readTask, requireCompleted, watchTask } from './watch-task';

const REPLAY = 'POST /operations?action=replayDeadLetter';
const DISCARD = 'POST /operations?action=discardDeadLetter';
const REPLAY_SELECTED = 'POST /operations?action=replayDeadLetters';
const DISCARD_SELECTED = 'POST /operations?action=discardDeadLetters';

/** The catalog checks what the file has. */
type Corrected = NonNullable<ParametersOf<typeof REPLAY>['proposal']>;

interface SettleOptions extends SelectionOptions {
  readonly all?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  /** False: starts the task, and returns. */
  readonly wait: boolean;
}

interface ReplayOptions extends SettleOptions {
  readonly force?: true;
  readonly proposal?: string;
}

/** Adds `replay` and `discard`: of one letter, or of all open ones that the options select. */
export function addSettleCommands(letters: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addSettleOptions(letters.command('replay'))
    .description('apply a dead letter, or all open ones that the options select')
    .option('--force', 'also over something newer, and before an earlier letter of the same urn that is open')
    .option('--proposal <file>', 'apply this corrected proposal instead: JSON as ingestProposal takes it')
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} dead-letters replay 0.17
  ${PROGRAM} dead-letters replay --cause unknown-aspect --dry-run
`,
    )
    .action(async (letter: string | undefined, options: ReplayOptions) => {
      const settle =
        letter === undefined ? replaySelected(options, terminal) : replayOne(letter, options, terminal);
      setExitCode(await settle);
    });
  addSettleOptions(letters.command('discard'))
    .description(
      'give a dead letter up, or all open ones that the options select; they stay listed for a time',
    )
    .action(async (letter: string | undefined, options: SettleOptions) => {
      const settle =
        letter === undefined ? discardSelected(options, terminal) : discardOne(letter, options, terminal);
      setExitCode(await settle);
    });
}

function addSettleOptions(command: Command): Command {
  return addSelection(command.argument('[id]', 'the id of one letter, as the list has it'))
    .option('--all', 'all open letters')
    .option('--dry-run', 'only say how many the options select')
    .option('--yes', 'do not ask')
    .option('--no-wait', 'return at once; the catalog goes on by itself')
    .option('--json', "print the letter or the task as JSON; of a dry run, the catalog's answer");
}

function replayOne(letter: string, options: ReplayOptions, terminal: Terminal): Promise<ExitCode> {
  rejectBoth(options);
  return withCatalog(options, { terminal }, async (client) => {
    const { proposal: file, force = false } = options;
    const proposal =
      file === undefined ? undefined : ((await readValue({ file, value: undefined }, terminal)) as Corrected);
    const { answer } = await client.call(REPLAY, { letter, force, proposal });
    terminal.stdout.write(options.json === true ? `${prettyJson(answer)}\n` : `${letter} is replayed\n`);
    return EXIT.ok;
  });
}

function discardOne(letter: string, options: SettleOptions, terminal: Terminal): Promise<ExitCode> {
  rejectBoth(options);
  return withCatalog(options, { terminal }, async (client) => {
    await confirm(
      { what: `Discard ${letter}: it is never applied`, isConfirmed: options.yes === true },
      terminal,
    );
    const { answer } = await client.call(DISCARD, { letter });
    terminal.stdout.write(options.json === true ? `${prettyJson(answer)}\n` : `${letter} is discarded\n`);
    return EXIT.ok;
  });
}

function replaySelected(options: ReplayOptions, terminal: Terminal): Promise<ExitCode> {
  requireSelection(options);
  if (options.proposal !== undefined)
    throw new CommandFailure('--proposal corrects one letter: give its id', EXIT.usage);
  const selection = { ...toSelection(options), force: options.force === true };
  return withCatalog(options, { terminal }, async (client) => {
    const { answer: plan } = await client.call(REPLAY_SELECTED, { ...selection, dryRun: true });
    const what = `Replay ${String(plan.matching)} dead letters; the model accepts ${String(plan.acceptable)} of ${String(plan.checked)} checked ones`;
    if (options.dryRun === true) return printPlan(plan, { what, options, terminal });
    await confirm({ what, isConfirmed: options.yes === true }, terminal);
    const { answer } = await client.call(REPLAY_SELECTED, { ...selection, dryRun: false });
    return follow(client, answer.task, {
      options,
      terminal,
      words: ['replayed', 'rejected', 'held', 'settled'],
    });
  });
}

function discardSelected(options: SettleOptions, terminal: Terminal): Promise<ExitCode> {
  requireSelection(options);
  const selection = toSelection(options);
  return withCatalog(options, { terminal }, async (client) => {
    const { answer: plan } = await client.call(DISCARD_SELECTED, { ...selection, dryRun: true });
    const what = `Discard ${String(plan.matching)} dead letters: they are never applied`;
    if (options.dryRun === true) return printPlan(plan, { what, options, terminal });
    await confirm({ what, isConfirmed: options.yes === true }, terminal);
    const { answer } = await client.call(DISCARD_SELECTED, { ...selection, dryRun: false });
    return follow(client, answer.task, { options, terminal, words: ['discarded'] });
  });
}

interface Shown {
  readonly options: SettleOptions;
  readonly terminal: Terminal;
}

function printPlan(plan: object, { what, options, terminal }: Shown & { readonly what: string }): ExitCode {
  terminal.stdout.write(`${options.json === true ? prettyJson({ ...plan }) : `would do: ${what}`}\n`);
  return EXIT.ok;
}

/** Shows the task until its end; exit code 1 when it has left letters open. */
async function follow(
  client: CatalogClient,
  name = '',
  { options, terminal, words }: Shown & { readonly words: readonly string[] },
): Promise<ExitCode> {
  if (!options.wait) {
    const started =
      options.json === true ? prettyJson(await readTask(client, name)) : `task ${name} is started`;
    terminal.stdout.write(`${started}\n`);
    return EXIT.ok;
  }
  const task = requireCompleted(await watchTask(client, name, terminal));
  const count = (word: string): number => numberOf(task.outcome?.[word]);
  const counts = words.map((word) => `${String(count(word))} ${word}`).join(', ');
  terminal.stdout.write(`${options.json === true ? prettyJson(task) : counts}\n`);
  return count('rejected') + count('held') > 0 ? EXIT.rejected : EXIT.ok;
}

function selectsSome(options: SettleOptions): boolean {
  return options.all === true || Object.values(toSelection(options)).some((each) => each !== undefined);
}

function requireSelection(options: SettleOptions): void {
  if (selectsSome(options)) return;
  throw new CommandFailure('Give the id of a letter, an option that selects some, or --all', EXIT.usage);
}

function rejectBoth(options: SettleOptions): void {
  if (selectsSome(options) || options.dryRun === true)
    throw new CommandFailure('Give the id of a letter, or options that select some, not both', EXIT.usage);
}
