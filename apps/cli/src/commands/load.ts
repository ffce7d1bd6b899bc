import { basename } from 'node:path';
import type { CatalogClient } from '../catalog-client';
import { connect, type ConnectionOptions } from '../connection';
import { CommandFailure, EXIT, type ExitCode } from '../exit-code';
import { openInput, type LoadInput } from '../load-input';
import { Load } from '../load-records';
import { progressOf, summaryOf, type LoadNumbers } from '../load-report';
import { ProgressLine } from '../progress-line';
import { readRecords } from '../read-records';
import { RejectsFile, isSameFile } from '../rejects-file';
import { sendWrite } from '../send-write';
import type { Terminal } from '../terminal';
import { waitUntilSearchable } from '../wait-until-searchable';

export interface LoadCommandOptions extends ConnectionOptions {
  readonly concurrency: number;
  readonly retries: number;
  readonly rejects?: string;
  /** Seconds to wait for the index; absent for not at all. */
  readonly wait?: number;
}

/** Sends the proposals and snapshots of a file and prints what became of them; exit code 0 says that all went in. */
export async function loadCommand(
  file: string,
  options: LoadCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.rejects !== undefined && (await isSameFile(options.rejects, file))) {
    throw new CommandFailure(
      `--rejects names the file that is loaded, ${file}, and would overwrite it: name another`,
      EXIT.usage,
    );
  }
  const client = await connect(options, terminal, options.concurrency);
  try {
    // Asked first, so that a catalog that is not there is told at once and not after all retries.
    await client.health();
    const input = await openInput(file, terminal);
    return await loadInput({ file, input, client, options, terminal });
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
    options.rejects ?? (file === '-' ? 'stdin.rejects.jsonl' : `${file}.rejects.jsonl`),
    { fallback: options.rejects === undefined },
  );
  if (options.rejects === undefined) await rejects.discardEarlier();
  const load = new Load({
    concurrency: options.concurrency,
    send: (request) => sendWrite(client, request, { retries: options.retries, pause, interrupted }),
    keepRefused: (refusal, record) => rejects.add(refusal, record),
    interrupted,
    endInput: () => {
      input.chunks.destroy();
    },
  });
  const started = performance.now();
  const progress = new ProgressLine(terminal, () => progressOf(numbersOf(load, started), input.share()));
  await load.run(readRecords(input.chunks));
  progress.stop();
  await rejects.close();
  const path = rejects.writtenTo;
  terminal.stdout.write(
    summaryOf({
      ...numbersOf(load, started),
      groups: load.refusals.sorted(),
      ...(path === undefined ? {} : { rejects: path }),
    }),
  );
  if (load.ended !== undefined) throw endedEarly(load, load.ended, file);
  if (options.wait !== undefined && load.position !== undefined) {
    await waitUntilSearchable(client, load.position, { seconds: options.wait, interrupted });
    terminal.stdout.write('searchable\n');
  }
  return load.refusals.total === 0 ? EXIT.ok : EXIT.refused;
}

function numbersOf(load: Load, started: number): LoadNumbers {
  const { read, sent, written, refusals } = load;
  return { read, sent, written, refused: refusals.total, seconds: (performance.now() - started) / 1000 };
}

function endedEarly(load: Load, reason: CommandFailure, file: string): CommandFailure {
  const first = load.firstUnanswered ?? load.read;
  const name = file === '-' ? 'standard input' : basename(file);
  return new CommandFailure(
    `${reason.message}; every record of ${name} before number ${String(first)}, counted from 0, was answered. ` +
      'Loading it again is safe: what is there already changes nothing',
    reason.exitCode,
  );
}
