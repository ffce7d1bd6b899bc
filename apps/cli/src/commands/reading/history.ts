import type { AnswerOf } from '@stratalog/client';
import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import { CallFailure, orFailure } from '../../connection/call-failure';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { readSuggestion } from '../../connection/rejection';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { formatTime } from '../../output/time';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface HistoryOptions extends ConnectionOptions {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  readonly json?: true;
}

/** Adds `history`. */
export function addHistoryCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  const version = integerFrom(0, Number.MAX_SAFE_INTEGER);
  addConnectionOptions(program.command('history'))
    .description('list the versions of one aspect, the newest first')
    .argument('<urn>', 'the entity')
    .argument('<aspect>', 'the name of the aspect')
    .option('--from <version>', 'the lowest version', version, 1)
    .option('--to <version>', 'the highest version (0 is the newest)', version, 0)
    .option('--count <n>', 'versions at most', integerFrom(1, 1000), 20)
    .option('--json', "print the catalog's answer as it is, values included")
    .addHelpText(
      'after',
      `
Examples:
  ${PROGRAM} history urn:li:tag:gold tagProperties
  ${PROGRAM} history urn:li:tag:gold tagProperties --from 3 --to 5 --json
  ${PROGRAM} get urn:li:tag:gold --aspect tagProperties --version 3
`,
    )
    .action(async (urn: string, aspect: string, options: HistoryOptions) => {
      setExitCode(await historyCommand({ urn, aspect }, options, terminal));
    });
}

async function historyCommand(
  { urn, aspect }: { readonly urn: string; readonly aspect: string },
  options: HistoryOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { from, to, count } = options;
  const range = { urn, aspect, startVersion: from, endVersion: to, count };
  const { answer } = await withCatalog(options, { terminal }, async (client) => {
    const read = await orFailure(client.call('GET /aspects/:urn', range));
    if (!(read instanceof CallFailure)) return read;
    if (read.status !== 404) throw read;
    throw new CommandFailure(`${urn} never had ${aspect}${readSuggestion(read.rejection)}`, EXIT.rejected);
  });
  terminal.stdout.write(
    options.json === true ? `${prettyJson(answer)}\n` : textTable(toRows(answer), terminal.columns),
  );
  return EXIT.ok;
}

/** The call has a range, so that its answer has versions. */
function toRows(answer: AnswerOf<'GET /aspects/:urn'>): string[][] {
  const versions = 'versions' in answer ? answer.versions : [];
  const rows = versions.map(({ version, kind, created: { time, actor }, systemMetadata: { runId = '' } }) => [
    String(version),
    formatTime(time),
    kind,
    actor,
    runId,
  ]);
  return [['version', 'time', 'change', 'by', 'run'], ...rows];
}
