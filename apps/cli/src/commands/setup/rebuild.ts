import { Argument, type Command } from 'commander';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { objectOf, toText } from '../../output/json-parts';
import { prettyJson } from '../../output/pretty-json';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { runTask } from '../operations/watch-task';

const INDEXES = ['search', 'graph', 'timeseries'] as const;
type Index = (typeof INDEXES)[number];

interface RebuildOptions extends ConnectionOptions {
  /** False: starts the task, and returns. */
  readonly wait: boolean;
  readonly json?: true;
}

/** Adds `rebuild`. */
export function addRebuildCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('rebuild'))
    .description('rebuild indices from the store; the old ones answer until the new ones are complete')
    .addArgument(new Argument('[index]', 'all unless given').choices(INDEXES))
    .option('--no-wait', 'return at once; the catalog goes on by itself')
    .option('--json', 'print the task as JSON')
    .addHelpText(
      'after',
      `
Needs a token with the scope operate, such as the operator's: "${PROGRAM} token" prints that of a catalog on this machine. "${PROGRAM} tasks"
pauses and cancels what runs.

Examples:
  STRATALOG_TOKEN=$(${PROGRAM} token) ${PROGRAM} rebuild
  ${PROGRAM} rebuild search --no-wait --profile prod
`,
    )
    .action(async (index: Index | undefined, options: RebuildOptions) => {
      setExitCode(await rebuildCommand(index, options, terminal));
    });
}

function rebuildCommand(
  index: Index | undefined,
  options: RebuildOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return withCatalog(options, { terminal }, async (client) => {
    const { answer } = await client.call('POST /operations?action=rebuildIndices', { index });
    const task = await runTask(client, answer, options, terminal);
    if (task === undefined) return EXIT.ok;
    const { outcome = {} } = task;
    const lines = INDEXES.filter((kind) => outcome[kind] !== undefined).map(
      (kind) => `${kind}: rebuilt, now in ${toText(objectOf(outcome[kind]).live)}`,
    );
    terminal.stdout.write(`${options.json === true ? prettyJson(task) : lines.join('\n')}\n`);
    return EXIT.ok;
  });
}
