import type { Command } from 'commander';
import { integerFrom } from '../../arguments';
import { basename, join } from 'node:path';
import { orFailure } from '../../connection/call-failure';
import type { CatalogClient } from '../../connection/catalog-client';
import { addConnectionOptions, connect, type ConnectionOptions } from '../../connection/connect';
import { CommandFailure, EXIT, type ExitCode, type SetExitCode } from '../../exit-code';
import { openInput, type LoadInput } from '../../input/load-input';
import { Load } from '../../load/load-records';
import { toProgress, summaryJson, summarize, type LoadNumbers } from '../../load/load-report';
import { RateMeter } from '../../load/load-rate';
import { ProgressLine } from '../../load/progress-line';
import { readRecords } from '../../input/read-records';
import { RejectsFile, isSameFile } from '../../load/rejects-file';
import { WarningTally } from '../../connection/warnings';
import { sendWrite } from '../../load/send-write';
import { prettyJson } from '../../output/pretty-json';
import { PROGRAM } from '../../program';
import type { Terminal } from '../../terminal';
import { waitUntilSearchable } from '../../load/wait-until-searchable';

/**
 * The limit for requests under way, also while batches are split, so that the catalog can serve other
 * clients.
 */
const MAX_REQUESTS = 64;
/** Well below the catalog's default limit, so that it answers others between batches. */
const MAX_BATCH_CHARACTERS = 1024 * 1024;

interface LoadCommandOptions extends ConnectionOptions {
  readonly concurrency: number;
  readonly batch: number;
  readonly retries: number;
  readonly rejects?: string;
  readonly json?: true;
  /** Seconds to wait for the index; absent to not wait. */
  readonly wait?: number;
}

/** Adds `load`. */
export function addLoadCommand(program: Command, terminal: Terminal, setExitCode: SetExitCode): void {
  addConnectionOptions(program.command('load'))
    .description('send a file of proposals: a JSON array or JSON lines, as connectors write them')
    .argument('<file>', 'the file, or - for standard input')
    .option(
      '--concurrency <n>',
      'batches under way at once; no two of them hold the same entity, whose records keep their order (1 keeps the order of the whole file)',
      integerFrom(1, MAX_REQUESTS),
      8,
    )
    .option(
      '--batch <n>',
      'records in one request at most (1 sends each by itself)',
      integerFrom(1, 2000),
      200,
    )
    .option(
      '--retries <n>',
      'attempts after the first when the catalog is away or busy',
      integerFrom(0, 100),
      8,
    )
    .option(
      '--rejects <file>',
      'where rejected records go, with reasons (default: <file>.rejects.jsonl in the working folder)',
    )
    .option(
      '--wait [seconds]',
      'return when all is searchable, at most this long (60)',
      integerFrom(1, 86_400),
    )
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
Files packed with gzip are unpacked on the way. Records that the catalog rejects go to a file with their reasons, one JSON
object a line; all others are loaded. A load that was cut off is repeated: what is there already changes nothing.

Examples:
  ${PROGRAM} load proposals.json
  ${PROGRAM} load snowflake.jsonl.gz --wait
  zstd -dc proposals.jsonl.zst | ${PROGRAM} load - --rejects rejected.jsonl
`,
    )
    .action(async (file: string, options: Omit<LoadCommandOptions, 'wait'> & { wait?: number | true }) => {
      const { wait: seconds, ...rest } = options;
      const waiting = seconds === undefined ? {} : { wait: seconds === true ? 60 : seconds };
      setExitCode(await loadCommand(file, { ...rest, ...waiting }, terminal));
    });
}

/**
 * Sends the proposals and snapshots of a file and prints the outcome; exit code 0 means that all were
 * written.
 */
async function loadCommand(file: string, options: LoadCommandOptions, terminal: Terminal): Promise<ExitCode> {
  if (options.rejects !== undefined && (await isSameFile(options.rejects, file))) {
    throw new CommandFailure(
      `--rejects names the file that is loaded, ${file}, and would overwrite it: name another`,
      EXIT.usage,
    );
  }
  const client = await connect(options, terminal, {
    connections: MAX_REQUESTS,
    finishesCalls: true,
    // The summary counts the warnings; a line for each would drown it.
    onAnswer: () => undefined,
  });
  try {
    const input = await openInput(file, terminal);
    try {
      // Fails at once, instead of after all retries, when the catalog is unreachable.
      await orFailure(client.call('GET /health'));
      return await loadInput({ file, input, client, options, terminal });
    } finally {
      if (file !== '-') input.chunks.destroy();
    }
  } finally {
    client.close();
  }
}

interface LoadTask {
  readonly file: string;
  readonly input: LoadInput;
  readonly client: CatalogClient;
  readonly options: LoadCommandOptions;
  readonly terminal: Terminal;
}

async function loadInput(task: LoadTask): Promise<ExitCode> {
  const { file, input, client, options, terminal } = task;
  const { interrupted, pause } = terminal;
  const rejects = new RejectsFile(
    options.rejects ?? join(terminal.folder, `${file === '-' ? 'stdin' : basename(file)}.rejects.jsonl`),
  );
  if (options.rejects === undefined) await rejects.discardEarlier();
  const warnings = new WarningTally();
  const load = new Load({
    concurrency: options.concurrency,
    singles: Math.floor(MAX_REQUESTS / options.concurrency),
    bounds: { writes: options.batch, characters: MAX_BATCH_CHARACTERS },
    send: (request) =>
      sendWrite(client, request, {
        retries: options.retries,
        pause,
        interrupted,
        warned: (texts) => {
          warnings.add(texts);
        },
      }),
    keepRejected: (rejection, record) => rejects.add(rejection, record),
    interrupted,
    endInput: () => {
      input.chunks.destroy();
    },
  });
  const started = performance.now();
  const meter = new RateMeter(input.size);
  const progress = new ProgressLine(terminal, () => {
    const numbers = countNumbers(load, started);
    return toProgress(numbers, meter.at({ ...numbers, bytesRead: input.bytesRead() }));
  });
  await load.run(readRecords(input.chunks));
  progress.stop();
  await rejects.close();
  if (load.read === 0) throw nothingRead(load, file);
  const path = rejects.writtenTo;
  const summary = {
    ...countNumbers(load, started),
    groups: load.rejections.sorted(),
    warnings: warnings.sorted(),
    ...(path === undefined ? {} : { rejects: path }),
  };
  terminal.stdout.write(options.json === true ? `${prettyJson(summaryJson(summary))}\n` : summarize(summary));
  if (load.ended !== undefined) throw endedEarly(load, load.ended, file);
  if (options.wait !== undefined && load.position !== undefined) {
    await waitUntilSearchable(client, load.position, { seconds: options.wait, interrupted });
    if (options.json !== true) terminal.stdout.write('searchable\n');
  }
  return load.rejections.total === 0 ? EXIT.ok : EXIT.rejected;
}

function nothingRead(load: Load, file: string): CommandFailure {
  const { message, exitCode } = load.ended ?? {
    message: 'it is empty: a file to load is one JSON array, or one JSON object a line',
    exitCode: EXIT.usage,
  };
  return new CommandFailure(`${nameOf(file)}: ${message}`, exitCode);
}

function countNumbers(load: Load, started: number): LoadNumbers {
  const { read, sent, written, rejections } = load;
  return { read, sent, written, rejected: rejections.total, seconds: (performance.now() - started) / 1000 };
}

function endedEarly(load: Load, reason: CommandFailure, file: string): CommandFailure {
  const first = load.firstUnanswered ?? load.read;
  return new CommandFailure(
    `${reason.message}; every record of ${nameOf(file)} before number ${String(first)}, counted from 0, was answered. ` +
      'Loading it again is safe: what is there already changes nothing',
    reason.exitCode,
  );
}

function nameOf(file: string): string {
  return file === '-' ? 'standard input' : basename(file);
}
