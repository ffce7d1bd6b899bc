import type { JsonObject } from '@stratalog/model';
import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { numberOf, objectOf, toList, toText } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { formatTime } from '../../output/time';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface RunsOptions extends ConnectionOptions {
  readonly count: number;
  readonly start: number;
  readonly all?: true;
  readonly json?: true;
}

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1_000;
const MAX_START = 10_000_000;

/** Adds `runs`. */
export function addRunsCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('runs'))
    .description('list the runs that own aspects, the last write first; or the aspects of one run')
    .argument('[run]', 'the id of a run, "runId" of its system metadata')
    .option('--count <n>', 'list at most so many', integerFrom(1, MAX_COUNT), DEFAULT_COUNT)
    .option('--start <n>', 'leave out so many first', integerFrom(0, MAX_START), 0)
    .option('--all', 'also those of soft-deleted entities')
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
A run owns the aspects whose latest value it wrote. Exit code 1 when the run owns none.

Examples:
  ${PROGRAM} runs
  ${PROGRAM} runs snowflake-2026-11-22 --count 100
  ${PROGRAM} rollback snowflake-2026-11-22 --dry-run
`,
    )
    .action(async (run: string | undefined, options: RunsOptions) => {
      setExitCode(await runsCommand(run, options, terminal));
    });
}

function runsCommand(run: string | undefined, options: RunsOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { start, count, all: includeSoft = false } = options;
    const answer =
      run === undefined
        ? await client.action('runs', 'list', { pageOffset: start, pageSize: count, includeSoft })
        : await client.action('runs', 'describe', { runId: run, start, count, includeSoft });
    const found = toList(objectIn(accepted(answer, client.address), client.address).value).map(objectOf);
    if (run !== undefined && found.length === 0 && start === 0) {
      throw new CommandFailure(`the run ${run} owns no aspect`, EXIT.rejected);
    }
    const rows =
      run === undefined
        ? [RUN_HEADINGS, ...found.map(toRunRow)]
        : [ASPECT_HEADINGS, ...found.map(toAspectRow)];
    terminal.stdout.write(
      options.json === true ? `${prettyJson(found)}\n` : textTable(rows, terminal.columns),
    );
    return EXIT.ok;
  });
}

const RUN_HEADINGS = ['run', 'last write', 'aspects'];
const ASPECT_HEADINGS = ['urn', 'aspect', 'version', 'written'];

function toRunRow({ runId, timestamp, rows }: JsonObject): string[] {
  return [toText(runId), formatTime(timestamp), String(numberOf(rows))];
}

function toAspectRow({ urn, aspectName, version, timestamp }: JsonObject): string[] {
  return [toText(urn), toText(aspectName), String(numberOf(version)), formatTime(timestamp)];
}
