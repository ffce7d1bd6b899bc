import type { FailureCounts } from '../catalog/catalog-client';
import { countRun, computeSpread, type Spread } from '../crash/crash-report';
import type { DistributedOptions } from '../faults-arguments';
import type { Ledger } from '../ledger/ledger';
import type { DistributedVerdict } from './check-distributed';
import { FAULTS, type Fault } from './fault-plans';

/** The report of one round: a line of the output. Times are milliseconds. */
export interface DistributedRound {
  readonly round: number;
  readonly fault: Fault;
  /** The action, in words. */
  readonly done: string;
  readonly loadMs: number;
  /**
   * From the fault until a write into each partition was answered and found, and every app reported that it
   * is ready.
   */
  readonly recoveredMs: number;
  readonly writers: number;
  readonly indexers: number;
  readonly acknowledged: number;
  readonly unacknowledged: number;
  /** New entities that were read back after the fault. */
  readonly readBack: number;
}

export interface DistributedSummary {
  readonly summary: 'distributed';
  readonly ok: boolean;
  readonly seed: number;
  readonly rounds: number;
  readonly writers: number;
  readonly producers: number;
  readonly seconds: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly acknowledged: { readonly sync: number; readonly async: number };
  readonly unacknowledged: number;
  /** Unsuccessful answers, by status; `lost` are connections that broke. */
  readonly failures: Readonly<Record<string, number>>;
  readonly readBack: number;
  readonly recoveredMs: Readonly<Partial<Record<Fault, Spread>>>;
  /** The number of comparisons with the ledger. */
  readonly checks: number;
  /** The result of the last of these; absent when the run did not get there. */
  readonly verified?: DistributedVerdict;
  readonly violation?: string;
}

export interface DistributedSummaryDeps {
  readonly options: DistributedOptions;
  readonly rounds: readonly DistributedRound[];
  readonly seconds: number;
  readonly ledger: Ledger;
  readonly failures: FailureCounts;
  readonly verdicts: readonly DistributedVerdict[];
  readonly violation: string | undefined;
}

export function summarizeDistributedRun(deps: DistributedSummaryDeps): DistributedSummary {
  const { options, rounds, seconds, ledger, failures, verdicts, violation } = deps;
  const verified = verdicts.at(-1);
  const of = (fault: Fault): readonly DistributedRound[] => rounds.filter((round) => round.fault === fault);
  const recovered = FAULTS.flatMap((fault) => {
    const spread = computeSpread(of(fault).map(({ recoveredMs }) => recoveredMs));
    return spread === undefined ? [] : [[fault, spread] as const];
  });
  return {
    summary: 'distributed',
    ok: violation === undefined,
    seed: options.seed,
    rounds: rounds.length,
    writers: options.writers,
    producers: options.producers,
    seconds: Math.round(seconds),
    faults: countRun(FAULTS, (fault) => of(fault).length),
    acknowledged: { sync: ledger.counts.sync, async: ledger.counts.async },
    unacknowledged: ledger.counts.unacknowledged,
    failures: Object.fromEntries(failures),
    readBack: rounds.reduce((sum, { readBack }) => sum + readBack, 0),
    recoveredMs: Object.fromEntries(recovered),
    checks: verdicts.length,
    ...(verified === undefined ? {} : { verified }),
    ...(violation === undefined ? {} : { violation }),
  };
}
