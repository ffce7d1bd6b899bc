import { CrashRun } from './crash-run';
import { HELP, parseFaultsArguments, type CrashOptions } from './faults-arguments';
import { keepWorkspace, makeWorkspace, removeWorkspace, sweepWorkspaces } from './workspace';

const INTERRUPTED = 130;

async function main(): Promise<number> {
  const parsed = parseFaultsArguments(process.argv.slice(2));
  switch (parsed.kind) {
    case 'help':
      process.stdout.write(HELP);
      return 0;
    case 'usage':
      process.stderr.write(`${parsed.fault}\n\n${HELP}`);
      return 2;
    case 'crash':
      return crash(parsed.options);
  }
}

async function crash(options: CrashOptions): Promise<number> {
  sweepWorkspaces();
  const workspace = makeWorkspace();
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupt.abort(new Error(`stopped by ${signal}`));
    });
  }
  say(`crash test with seed ${options.seed}, ${options.rounds} rounds, in ${workspace.folder}`);
  let isKept = true;
  try {
    const summary = await CrashRun.run(options, {
      workspace,
      signal: interrupt.signal,
      say,
      onRound: (report) => {
        printLine(report);
        const kills = report.kills.map(({ moment, victim }) => `${victim} ${moment}`).join(', then ');
        say(`round ${report.round}/${options.rounds}: killed ${kills}; ready after ${report.recoveredMs} ms`);
      },
      // Whatever ends this process, an error that nobody caught included.
      onStarted: (endAll) => process.once('exit', endAll),
    });
    printLine(summary);
    isKept = !summary.ok;
    if (summary.violation !== undefined) say(`VIOLATION with seed ${options.seed}: ${summary.violation}`);
    return summary.ok ? 0 : 1;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    isKept = false;
    say(`${(interrupt.signal.reason as Error).message}; seed ${options.seed}`);
    return INTERRUPTED;
  } finally {
    if (isKept) say(`kept for inspection: ${keepWorkspace(workspace, options.seed)}`);
    else removeWorkspace(workspace);
  }
}

function printLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function say(line: string): void {
  process.stderr.write(`faults: ${line}\n`);
}

process.exitCode = await main();
