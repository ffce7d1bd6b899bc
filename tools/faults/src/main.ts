import { abortOnSignals, answerUsage } from '@stratalog/local-stack';
import { CrashRun } from './crash/crash-run';
import { DistributedRun } from './distributed/distributed-run';
import { PoisonRun } from './distributed/poison-run';
import { parseFaultsArguments, type FaultTest } from './faults-arguments';
import { FuzzRun } from './fuzz/fuzz-run';
import { RestoresRun } from './restores/restores-run';
import { RaceRun } from './races/race-run';
import {
  keepWorkspace,
  makeWorkspace,
  removeWorkspace,
  sweepWorkspaces,
  type Workspace,
} from './catalog/workspace';

interface Summary {
  readonly ok: boolean;
  readonly violation?: string;
}

const INTERRUPTED = 130;

async function test(chosen: FaultTest): Promise<number> {
  const { seed } = chosen.options;
  sweepWorkspaces();
  const workspace = makeWorkspace();
  const signal = abortOnSignals();
  say(`${chosen.kind} test with seed ${seed}, ${describeSize(chosen)}, in ${workspace.folder}`);
  let isKept = true;
  try {
    const summary = await run(chosen, workspace, signal);
    printLine(summary);
    isKept = !summary.ok;
    if (summary.violation !== undefined) say(`VIOLATION with seed ${seed}: ${summary.violation}`);
    return summary.ok ? 0 : 1;
  } catch (error) {
    if (!signal.aborted) throw error;
    isKept = false;
    say(`${(signal.reason as Error).message}; seed ${seed}`);
    return INTERRUPTED;
  } finally {
    if (isKept) say(`kept for inspection: ${keepWorkspace(workspace, seed)}`);
    else removeWorkspace(workspace);
  }
}

function describeSize({ kind, options }: FaultTest): string {
  if (kind === 'fuzz') return `${options.requests} requests`;
  if (kind === 'restores') return `${options.restores.length} restores`;
  return kind === 'races' ? `${options.increments} increments` : `${options.rounds} rounds`;
}

function run(chosen: FaultTest, workspace: Workspace, signal: AbortSignal): Promise<Summary> {
  // For any end of this process, including an uncaught error.
  const onStarted = (endAll: () => void): unknown => process.once('exit', endAll);
  const common = { workspace, signal, say, onStarted };
  if (chosen.kind === 'races') return RaceRun.run(chosen.options, common);
  if (chosen.kind === 'fuzz') return FuzzRun.run(chosen.options, common);
  const rounds = 'rounds' in chosen.options ? chosen.options.rounds : 0;
  switch (chosen.kind) {
    case 'crash':
      return CrashRun.run(chosen.options, {
        ...common,
        onRound: (report) => {
          printLine(report);
          const kills = report.kills.map(({ moment, victim }) => `${victim} ${moment}`).join(', then ');
          say(`round ${report.round}/${rounds}: killed ${kills}; ready after ${report.recoveredMs} ms`);
        },
      });
    case 'poison':
      return PoisonRun.run(chosen.options, {
        ...common,
        onRound: (report) => {
          printLine(report);
          const { round, without, withPoison } = report;
          say(
            `round ${round}/${rounds}: p95 ${without.p95Ms} ms without, ${withPoison.p95Ms} ms with poison`,
          );
        },
      });
    case 'restores':
      return RestoresRun.run(chosen.options, {
        ...common,
        onRound: (report) => {
          printLine(report);
          const { restore, undecided, told } = report;
          say(`${restore}: ${undecided.acknowledged} writes acknowledged before the stop; ${told}`);
        },
      });
    case 'distributed':
      return DistributedRun.run(chosen.options, {
        ...common,
        onRound: (report) => {
          printLine(report);
          const { round, fault, done, recoveredMs } = report;
          say(`round ${round}/${rounds}: ${fault}, ${done}; well again after ${recoveredMs} ms`);
        },
      });
  }
}

function printLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function say(line: string): void {
  process.stderr.write(`faults: ${line}\n`);
}

const parsed = parseFaultsArguments(process.argv.slice(2));
process.exitCode = parsed.kind === 'usage' ? answerUsage(parsed) : await test(parsed);
// At a natural end Node waits for the handles of connections that were reset while they were being closed: for ever, on a full core.
process.exit();
