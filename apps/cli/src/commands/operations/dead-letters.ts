import { Option, type Command } from 'commander';
import type { AnswerOf } from '@stratalog/client';
import { DEAD_LETTER_STATES, type DeadLetterState } from '@stratalog/domain';
import { integerFrom } from '../../arguments';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { printableLines } from '../../output/printable';
import { textTable } from '../../output/text-table';
import { formatTime } from '../../output/time';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { addSelection, toSelection, type SelectionOptions } from './dead-letter-selection';
import { addSettleCommands } from './settle-dead-letters';

const LIST = 'GET /operations/deadLetters';
const COUNT = 'GET /operations/deadLetters/counts';
const SHOW = 'GET /operations/deadLetters/:letter';

type Letter = AnswerOf<typeof LIST>['deadLetters'][number];

interface CountOptions extends SelectionOptions {
  readonly only?: DeadLetterState;
}

interface ShowOptions extends ConnectionOptions {
  readonly json?: true;
}

interface ListOptions extends CountOptions {
  readonly count: number;
}

const DEFAULT_COUNT = 20;
const MOST = 200;

/** Adds `dead-letters` with its commands. */
export function addDeadLettersCommands(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const letters = program
    .command('dead-letters')
    .description('list what the writer rejected after it was logged, replay or discard it')
    .addHelpText(
      'after',
      `\nNeeds a token with the scope operate, such as the operator's: "${PROGRAM} token" prints that of a catalog on this machine.\n`,
    );
  const state = (): Option =>
    new Option('--only <state>', 'only those in this state; an open one waits for an operator').choices(
      DEAD_LETTER_STATES,
    );
  addSelection(letters.command('list'))
    .description('list dead letters, the newest first')
    .addOption(state())
    .option('--count <n>', 'list at most so many', integerFrom(1, MOST), DEFAULT_COUNT)
    .option('--json', "print the catalog's answer as it is")
    .action(async (options: ListOptions) => {
      setExitCode(await listLetters(options, terminal));
    });
  addSelection(letters.command('count'))
    .description('count dead letters by reason, and how many open ones the model accepts now')
    .addOption(state())
    .option('--json', "print the catalog's answer as it is")
    .action(async (options: CountOptions) => {
      setExitCode(await countLetters(options, terminal));
    });
  addConnectionOptions(letters.command('show'))
    .description('print a dead letter with all that is kept of it')
    .argument('<id>', 'its id, as the list has it')
    .option('--json', "print the catalog's answer as it is")
    .action(async (letter: string, options: ShowOptions) => {
      setExitCode(await showLetter(letter, options, terminal));
    });
  addSettleCommands(letters, terminal, setExitCode);
}

function listLetters({ count, only: state, ...options }: ListOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer } = await client.call(LIST, { ...toSelection(options), state, count });
    terminal.stdout.write(
      options.json === true
        ? `${prettyJson(answer)}\n`
        : textTable([HEADINGS, ...answer.deadLetters.map(toRow)], terminal.columns),
    );
    return EXIT.ok;
  });
}

const HEADINGS = ['id', 'state', 'rejected', 'times', 'about', 'reason'];

function toRow({ id, state, rejectedMillis, times, bytes, proposals = [], reason }: Letter): string[] {
  const [first] = proposals;
  const about = first === undefined ? `${String(bytes)} bytes` : `${first.aspectName} of ${first.urn}`;
  return [id, state, formatTime(rejectedMillis), String(times), about, reason];
}

function countLetters({ only: state, ...options }: CountOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer } = await client.call(COUNT, { ...toSelection(options), state });
    if (options.json === true) {
      terminal.stdout.write(`${prettyJson(answer)}\n`);
      return EXIT.ok;
    }
    const { total, checked, acceptable, reasons } = answer;
    const rows = reasons.map(({ count, cause, oldestMillis, newestMillis, reason }) => [
      String(count),
      cause,
      formatTime(oldestMillis),
      formatTime(newestMillis),
      reason,
    ]);
    terminal.stdout.write(
      textTable([['count', 'cause', 'oldest', 'newest', 'reason'], ...rows], terminal.columns),
    );
    terminal.stdout.write(
      `${String(total)} in all; the model accepts ${String(acceptable)} of ${String(checked)} open ones now\n`,
    );
    return EXIT.ok;
  });
}

function showLetter(letter: string, options: ShowOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer } = await client.call(SHOW, { letter });
    terminal.stdout.write(options.json === true ? `${prettyJson(answer)}\n` : describe(answer));
    return EXIT.ok;
  });
}

/** The facts in a table, and what was rejected below it. */
function describe({ text, base64 = '', ...letter }: AnswerOf<typeof SHOW>): string {
  const { settledBy, replayedMillis, discardedMillis } = letter;
  const facts = [
    ['id', letter.id],
    ['cause', letter.cause],
    ['reason', letter.reason],
    ['fields', letter.paths?.join(', ') ?? ''],
    ['state', letter.state],
    ['rejected', formatTime(letter.rejectedMillis)],
    ['last', formatTime(letter.lastRejectedMillis)],
    ['times', String(letter.times)],
    ['settled', `${formatTime(replayedMillis ?? discardedMillis)} ${settledBy ?? ''}`.trim()],
  ];
  const table = textTable(facts.filter(([, value]) => value !== ''));
  return `${table}\n${printableLines(text ?? base64)}\n`;
}
