import type { AnswerOf, ParametersOf } from '@stratalog/client';
import type { Command } from 'commander';
import { confirm } from '../../confirm';
import type { CatalogClient } from '../../connection/catalog-client';
import { explainInterruption } from '../../connection/explain-interruption';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { withCatalog } from '../../connection/with-catalog';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { textTable } from '../../output/text-table';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { watchWork } from '../operations/watch-work';

interface RollbackOptions extends ConnectionOptions {
  readonly hard?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json?: true;
}

/** The catalog answers when the rollback is complete, which takes a minute for a hundred thousand aspects. */
const TIMEOUT_MS = 30 * 60_000;

/** One for the call, one for the progress of its task. */
const CONNECTIONS = 2;

const ROLLBACK = 'POST /runs?action=rollback';
type Result = AnswerOf<typeof ROLLBACK>;

/** Adds `rollback`. */
export function addRollbackCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('rollback'))
    .description('roll back a run; entities that it created are soft-deleted')
    .argument('<run>', 'the id of the run, "runId" of its system metadata')
    .option('--hard', 'delete the entities that the run created, with all that others have written of them')
    .option('--dry-run', 'only say what would be taken back')
    .option('--yes', 'do not ask')
    .option('--json', "print the catalog's answer as it is")
    .addHelpText(
      'after',
      `
Stop the run before; what it writes later stays. The catalog goes on when the command is interrupted; repeated, the command waits for the same
rollback. With the scope operate it shows the progress.

Examples:
  ${PROGRAM} rollback snowflake-2026-11-22 --dry-run
  ${PROGRAM} rollback snowflake-2026-11-22 --yes
`,
    )
    .action(async (run: string, options: RollbackOptions) => {
      setExitCode(await rollbackCommand(run, options, terminal));
    });
}

async function rollbackCommand(run: string, options: RollbackOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(
    options,
    { terminal, timeoutMs: TIMEOUT_MS, connections: CONNECTIONS },
    async (client) => {
      const safe = options.hard !== true;
      const planning = rollBack(client, { runId: run, dryRun: true, safe });
      const plan = await explainInterruption(planning, 'nothing was taken back');
      if (isEmpty(plan)) {
        throw new CommandFailure(`the run ${run} has nothing that could be taken back`, EXIT.rejected);
      }
      if (options.dryRun === true) {
        write(plan, { isDone: false }, options, terminal);
        return EXIT.ok;
      }
      const what =
        `take back ${String(plan.aspectsReverted)} aspects of ${String(plan.entitiesAffected)} entities, ` +
        `${String(plan.entitiesDeleted)} of which the run created and which will be ${safe ? 'soft-deleted' : 'hard-deleted'}`;
      await confirm({ what, isConfirmed: options.yes === true }, terminal);
      const done = await watchWork(
        client,
        {
          name: `the rollback of ${run}`,
          kind: 'rollback-run',
          isOwn: ({ runId }) => runId === run,
          call: () => rollBack(client, { runId: run, dryRun: false, safe }),
        },
        terminal,
      );
      write(done, { isDone: true }, options, terminal);
      return (done.aspectsLeft ?? 0) === 0 ? EXIT.ok : EXIT.rejected;
    },
  );
}

function isEmpty({ aspectsReverted, entitiesDeleted, timeseriesRows = 0 }: Result): boolean {
  return [aspectsReverted, entitiesDeleted, timeseriesRows].every((count) => count === 0);
}

async function rollBack(client: CatalogClient, parameters: ParametersOf<typeof ROLLBACK>): Promise<Result> {
  return (await client.call(ROLLBACK, parameters)).answer;
}

function write(
  result: Result,
  { isDone }: { readonly isDone: boolean },
  options: RollbackOptions,
  terminal: Terminal,
): void {
  if (options.json === true) {
    terminal.stdout.write(`${prettyJson(result)}\n`);
    return;
  }
  const deletion = options.hard === true ? 'hard-deleted' : 'soft-deleted';
  const { left = [], timeseriesRows = 0 } = result;

  terminal.stdout.write(
    textTable([
      ['done', isDone ? 'yes' : 'no, this is a dry run'],
      ['aspects taken back', String(result.aspectsReverted)],
      ['entities affected', String(result.entitiesAffected)],
      [`entities ${deletion}`, String(result.entitiesDeleted)],
      ['timeseries values', String(timeseriesRows)],
      ['aspects of others in these', String(result.aspectsAffected)],
      ...left.map(({ urn, aspectName, reason }) => ['left', `${urn} ${aspectName}: ${reason}`]),
    ]),
  );
}
