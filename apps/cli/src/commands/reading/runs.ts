import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
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
    const { found, rows } =
      run === undefined ? await listRuns(client, options) : await listAspects(client, run, options);
    terminal.stdout.write(
      options.json === true ? `${prettyJson(found)}\n` : textTable(rows, terminal.columns),
    );
    return EXIT.ok;
  });
}

async function listRuns(client: CatalogClient, { start, count, all }: RunsOptions) {
  const query = { pageOffset: start, pageSize: count, includeSoft: all === true };
  const { answer: found } = await client.call('POST /runs?action=list', query);
  const rows = found.map(({ runId, timestamp, rows: aspects }) => [
    runId,
    formatTime(timestamp),
    String(aspects),
  ]);
  return { found, rows: [RUN_HEADINGS, ...rows] };
}

async function listAspects(client: CatalogClient, run: string, { start, count, all }: RunsOptions) {
  const query = { runId: run, start, count, includeSoft: all === true };
  const { answer: found } = await client.call('POST /runs?action=describe', query);
  if (found.length === 0 && start === 0)
    throw new CommandFailure(`the run ${run} owns no aspect`, EXIT.rejected);
  const rows = found.map(({ urn, aspectName, version, timestamp }) => [
    urn,
    aspectName,
    String(version),
    formatTime(timestamp),
  ]);
  return { found, rows: [ASPECT_HEADINGS, ...rows] };
}

const RUN_HEADINGS = ['run', 'last write', 'aspects'];
const ASPECT_HEADINGS = ['urn', 'aspect', 'version', 'written'];
