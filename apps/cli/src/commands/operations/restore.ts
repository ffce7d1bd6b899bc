import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import { addConnectionOptions, type ConnectionOptions } from '../../connection/connect';
import { explainInterruption } from '../../connection/explain-interruption';
import { withCatalog } from '../../connection/with-catalog';
import { EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { prettyJson } from '../../output/pretty-json';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

interface RestoreOptions extends ConnectionOptions {
  readonly urn?: string;
  readonly aspect?: string;
  readonly like?: string;
  readonly start: number;
  readonly batchSize: number;
  readonly limit: number;
  readonly json?: true;
}

/** The catalog answers when everything is restated: some thousand aspects a second. */
const TIMEOUT_MS = 30 * 60_000;
const DEFAULT_BATCH_SIZE = 500;
const RESULT = /ignored=(\d+), rowsMigrated=(\d+)/g;

/** Adds `restore`. */
export function addRestoreCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('restore'))
    .description('restate latest aspects, so that search, graph and consumers take them in again')
    .option('--urn <urn>', 'only those of this entity')
    .option('--like <pattern>', 'only those of urns that match: % is any text, _ one character')
    .option('--aspect <name>', 'only those of this name')
    .option('--start <n>', 'skip so many aspects', integerFrom(0, 10_000_000), 0)
    .option('--limit <n>', 'restate at most so many aspects; 0 for all', integerFrom(0, 10_000_000), 0)
    .option('--batch-size <n>', 'aspects per batch', integerFrom(1, 10_000), DEFAULT_BATCH_SIZE)
    .option('--json', 'print the numbers and the answer of the catalog as JSON')
    .addHelpText(
      'after',
      `
Needs a token with the scope operate, such as the operator's ("${PROGRAM} token"). "${PROGRAM} rebuild" builds a whole index again instead.

Examples:
  ${PROGRAM} restore --urn urn:li:tag:pii
  ${PROGRAM} restore --like 'urn:li:dataPlatform:%' --aspect dataPlatformInfo
`,
    )
    .action(async (options: RestoreOptions) => {
      setExitCode(await restoreCommand(options, terminal));
    });
}

function restoreCommand(options: RestoreOptions, terminal: Terminal): Promise<ExitCode> {
  return withCatalog(options, { terminal, timeoutMs: TIMEOUT_MS }, async (client) => {
    const { urn, aspect, like, start, batchSize, limit } = options;
    const parameters = {
      start,
      batchSize,
      limit,
      ...(urn === undefined ? {} : { urn }),
      ...(aspect === undefined ? {} : { aspect }),
      ...(like === undefined ? {} : { urnLike: like }),
    };
    const call = client.call('POST /operations?action=restoreIndices', parameters);
    const { answer } = await explainInterruption(call, 'the catalog goes on to the end');
    const results = [...answer.matchAll(RESULT)];
    const ignored = results.reduce((sum, [, count]) => sum + Number(count), 0);
    const restated = results.reduce((sum, [, , count]) => sum + Number(count), 0);
    terminal.stdout.write(
      options.json === true
        ? `${prettyJson({ restated, ignored, answer })}\n`
        : `${String(restated)} aspects restated, ${String(ignored)} ignored\n`,
    );
    return EXIT.ok;
  });
}
