import { Argument, type Command } from 'commander';
import { isJsonObject, type JsonObject } from '@stratalog/model';
import { accepted } from '../../connection/accepted';
import { objectIn } from '../../connection/answer-json';
import type { Answer, CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, connect, type ConnectionOptions } from '../../connection/connect';
import { CommandFailure, EXIT, type ExitCode, type Settle } from '../../exit-code';
import { ProgressLine } from '../../load/progress-line';
import { prettyJson } from '../../output/pretty-json';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';

const INDEXES = ['search', 'graph'] as const;
type Index = (typeof INDEXES)[number];

interface RebuildOptions extends ConnectionOptions {
  /** False: reports the rebuild under way, and returns. */
  readonly wait: boolean;
  readonly json?: true;
}

const POLL_MS = 1_000;

/** Adds `rebuild`. */
export function addRebuildCommand(program: Command, terminal: Terminal, settle: Settle): void {
  addConnectionOptions(program.command('rebuild'))
    .description('build the search index or the relationship graph from nothing, beside the one that answers')
    .addArgument(new Argument('[index]', 'both unless given').choices(INDEXES))
    .option('--no-wait', 'return at once; the catalog goes on by itself')
    .option('--json', 'print the state of each index as JSON')
    .addHelpText(
      'after',
      `
Needs the operator's token: "${PROGRAM} token" prints that of a catalog on this machine.

Examples:
  STRATALOG_TOKEN=$(${PROGRAM} token) ${PROGRAM} rebuild
  ${PROGRAM} rebuild search --no-wait --profile prod
`,
    )
    .action(async (index: Index | undefined, options: RebuildOptions) => {
      settle(await rebuildCommand(index === undefined ? INDEXES : [index], options, terminal));
    });
}

/** The catalog's report of an index. */
interface IndexState {
  readonly state: string;
  readonly live?: string;
  readonly done?: number;
  readonly total?: number;
}

async function rebuildCommand(
  indexes: readonly Index[],
  options: RebuildOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const client = await connect(options, terminal);
  try {
    const asked = new Map<Index, IndexState>();
    for (const index of indexes)
      asked.set(index, stateIn(await client.action('operations', 'rebuildIndex', { index }), client));
    const told: JsonObject = {};
    for (const [index, state] of asked) {
      const now = options.wait ? await untilRebuilt(client, index, state, terminal) : state;
      told[index] = { ...now };
      const text = options.wait ? `${index}: rebuilt, now in ${now.live}` : toText(index, now);
      if (options.json !== true) terminal.stdout.write(`${text}\n`);
    }
    if (options.json === true) terminal.stdout.write(`${prettyJson(told)}\n`);
    return EXIT.ok;
  } finally {
    client.close();
  }
}

/** **Errors**: {@link CommandFailure} when it is interrupted, or the catalog rejects. */
async function untilRebuilt(
  client: CatalogClient,
  index: Index,
  asked: IndexState,
  terminal: Terminal,
): Promise<IndexState> {
  let now = asked;
  const progress = new ProgressLine(terminal, () => toText(index, now));
  try {
    while (now.state !== 'live' || now.live === asked.live) {
      await terminal.pause(POLL_MS, terminal.interrupted);
      if (terminal.interrupted.aborted)
        throw new CommandFailure('interrupted; the catalog goes on building', EXIT.interrupted);
      const answer = await client.action('operations', 'describeIndex', { index });
      // Retries a catalog that is busy, or restarts behind its proxy.
      if (answer.status !== 503) now = stateIn(answer, client);
    }
  } finally {
    progress.stop();
  }
  return now;
}

function stateIn(answer: Answer, client: CatalogClient): IndexState {
  const { value } = objectIn(accepted(answer, client.address), client.address);
  const told: JsonObject = isJsonObject(value) ? value : {};
  const { state, live, done, total } = told;
  return {
    state: typeof state === 'string' ? state : 'unknown',
    ...(typeof live === 'string' ? { live } : {}),
    ...(done === undefined || total === undefined ? {} : { done: Number(done), total: Number(total) }),
  };
}

function toText(index: Index, { state, done, total }: IndexState): string {
  const progress = done === undefined || total === undefined ? '' : `, ${done} of ${total} entities`;
  return `${index}: ${state}${progress}`;
}
