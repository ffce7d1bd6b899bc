import { toLatencies } from '@stratalog/harness';
import type { FailureCounts } from '../catalog/catalog-client';
import type { FolderVerdict } from '../checks/check-folder';
import { VICTIMS, type Victim } from '../catalog/fault-plan';
import type { Ledger } from '../ledger/ledger';

export type KillMoment = 'under-load' | 'first-start' | 'start-up' | 'index-build';

/** The report of one round: a line of the output. Times are milliseconds. */
export interface RoundReport {
  readonly round: number;
  readonly kills: readonly { readonly moment: KillMoment; readonly victim: Victim }[];
  readonly loadMs: number;
  /** From the last start, or from the kill of a session, until every stage was ready again. */
  readonly recoveredMs: number;
  /** True when that start had to build the search index. */
  readonly builtIndex: boolean;
  readonly acknowledged: number;
  readonly unacknowledged: number;
  /** New entities that were read back after the kill. */
  readonly readBack: number;
}

/** Times in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly max: number;
}

export interface CrashSummary {
  readonly summary: 'crash';
  readonly ok: boolean;
  readonly seed: number;
  readonly rounds: number;
  readonly writers: number;
  readonly roundMs: number;
  readonly seconds: number;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly moments: Readonly<Record<KillMoment, number>>;
  readonly acknowledged: { readonly sync: number; readonly async: number };
  readonly unacknowledged: number;
  /** Unsuccessful answers, by status; `lost` are connections that broke. */
  readonly failures: Readonly<Record<string, number>>;
  readonly readBack: number;
  readonly recoveredMs?: Spread;
  readonly recoveredWithIndexBuildMs?: Spread;
  /** The result of the check after the stop; absent when the run did not get there. */
  readonly verified?: FolderVerdict;
  readonly violation?: string;
}

export interface SummaryDeps {
  readonly options: { readonly seed: number; readonly writers: number; readonly roundMs: number };
  readonly rounds: readonly RoundReport[];
  readonly seconds: number;
  readonly ledger: Ledger;
  readonly failures: FailureCounts;
  readonly verified: FolderVerdict | undefined;
  readonly violation: string | undefined;
}

export function summarize(deps: SummaryDeps): CrashSummary {
  const { options, rounds, seconds, ledger, failures, verified, violation } = deps;
  const kills = rounds.flatMap((round) => round.kills);
  const plain = computeSpread(
    rounds.flatMap(({ builtIndex, recoveredMs }) => (builtIndex ? [] : [recoveredMs])),
  );
  const built = computeSpread(
    rounds.flatMap(({ builtIndex, recoveredMs }) => (builtIndex ? [recoveredMs] : [])),
  );
  return {
    summary: 'crash',
    ok: violation === undefined,
    seed: options.seed,
    rounds: rounds.length,
    writers: options.writers,
    roundMs: options.roundMs,
    seconds: Math.round(seconds),
    kills: countRun(VICTIMS, (victim) => kills.filter((kill) => kill.victim === victim).length),
    moments: countRun(
      ['under-load', 'first-start', 'start-up', 'index-build'],
      (moment) => kills.filter((kill) => kill.moment === moment).length,
    ),
    acknowledged: { sync: ledger.counts.sync, async: ledger.counts.async },
    unacknowledged: ledger.counts.unacknowledged,
    failures: Object.fromEntries(failures),
    readBack: rounds.reduce((sum, { readBack }) => sum + readBack, 0),
    ...(plain === undefined ? {} : { recoveredMs: plain }),
    ...(built === undefined ? {} : { recoveredWithIndexBuildMs: built }),
    ...(verified === undefined ? {} : { verified }),
    ...(violation === undefined ? {} : { violation }),
  };
}

export function countRun<K extends string>(keys: readonly K[], count: (key: K) => number): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, count(key)])) as Record<K, number>;
}

export function computeSpread(timesMs: readonly number[]): Spread | undefined {
  const { count, p50Ms, maxMs } = toLatencies(timesMs);
  return count === 0 ? undefined : { p50: p50Ms, max: maxMs };
}
