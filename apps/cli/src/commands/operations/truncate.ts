import type { ParametersOf } from '@stratalog/client';
import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import { confirm } from '../../confirm';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { requireCompleted, readTask, watchTask } from './watch-task';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { numberOf } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { parseTime } from '../../output/time';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface TruncateOptions extends ConnectionOptions {
  readonly until: number;
  readonly batchSize?: number;
  readonly dryRun?: true;
  readonly yes?: true;
  /** False: starts the task, and returns. */
  readonly wait: boolean;
  readonly json?: true;
}

const TRUNCATE = 'POST /operations?action=truncateTimeseriesAspect';

/** Adds `truncate`. */
export function addTruncateCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('truncate'))
    .description('delete the values of a timeseries aspect up to a time, of all entities of a type')
    .argument('<entity>', 'the entity type')
    .argument('<aspect>', 'the timeseries aspect')
    .requiredOption(
      '--until <time>',
      'values up to this time are deleted: ISO 8601, or epoch milliseconds',
      parseTime,
    )
    .option('--batch-size <n>', 'values per batch', integerFrom(1, 1_000_000))
    .option('--dry-run', 'only say how many values would go')
    .option('--yes', 'do not ask')
    .option('--no-wait', 'return at once; the catalog goes on by itself')
    .option('--json', 'print the task as JSON; of a dry run, what it says')
    .addHelpText(
      'after',
      `
Says first what would go, and asks. Needs a token with the scope operate, such as the operator's ("${PROGRAM} token"). "${PROGRAM} tasks"
lists, pauses and cancels what runs.

Examples:
  ${PROGRAM} truncate dataset datasetProfile --until 2026-01-01 --dry-run
  ${PROGRAM} truncate dataset datasetProfile --until 2026-01-01 --yes
`,
    )
    .action(async (entity: string, aspect: string, options: TruncateOptions) => {
      setExitCode(await truncateCommand({ entityType: entity, aspect }, options, terminal));
    });
}

function truncateCommand(
  series: { readonly entityType: string; readonly aspect: string },
  options: TruncateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { batchSize, until: endTimeMillis } = options;
    const parameters = { ...series, endTimeMillis, ...(batchSize === undefined ? {} : { batchSize }) };
    const plan = await truncate(client, { ...parameters, dryRun: true });
    const what = toNumbers(plan);
    if (options.dryRun === true) {
      terminal.stdout.write(`${options.json === true ? prettyJson({ plan }) : `would do: ${what}`}\n`);
      return EXIT.ok;
    }
    await confirm({ what, isConfirmed: options.yes === true }, terminal);
    const name = await truncate(client, { ...parameters, dryRun: false });
    if (!options.wait) {
      const started =
        options.json === true ? prettyJson(await readTask(client, name)) : `task ${name} is started`;
      terminal.stdout.write(`${started}\n`);
      return EXIT.ok;
    }
    const task = requireCompleted(await watchTask(client, name, terminal));
    const deleted = String(numberOf(task.outcome?.deleted));
    terminal.stdout.write(`${options.json === true ? prettyJson(task) : `${deleted} values deleted`}\n`);
    return EXIT.ok;
  });
}

/** The first sentence of a plan. The others name parameters of the call; of no values at all there is no percentage. */
function toNumbers(plan: string): string {
  const [first = plan] = plan.split('. ');
  return first.replace(' (NaN%)', '');
}

async function truncate(client: CatalogClient, parameters: ParametersOf<typeof TRUNCATE>): Promise<string> {
  return (await client.call(TRUNCATE, parameters)).answer;
}
