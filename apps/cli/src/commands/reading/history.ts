import type { JsonObject } from '@stratalog/model';
import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { readSuggestion } from '../../connection/rejection';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { toList, numberOf, objectOf, toText } from '../../output/json-parts';
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
  const body = await withCatalog(options, { terminal }, async (client) => {
    const answer = await client.versions(urn, aspect, options);
    if (answer.status === 404) {
      throw new CommandFailure(`${urn} never had ${aspect}${readSuggestion(answer)}`, EXIT.rejected);
    }
    return objectIn(accepted(answer, client.address), client.address);
  });
  terminal.stdout.write(
    options.json === true ? `${prettyJson(body)}\n` : textTable(toRows(body), terminal.columns),
  );
  return EXIT.ok;
}

function toRows(body: JsonObject): string[][] {
  const rows = toList(body.versions).map((each) => {
    const { version, kind, created, systemMetadata } = objectOf(each);
    const { time, actor } = objectOf(created);
    const run = toText(objectOf(systemMetadata).runId);
    return [String(numberOf(version)), formatTime(time), toText(kind), toText(actor), run];
  });
  return [['version', 'time', 'change', 'by', 'run'], ...rows];
}
