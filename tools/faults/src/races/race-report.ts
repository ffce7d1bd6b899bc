import { toLatencies, type Latencies } from '@stratalog/harness';
import type { FolderVerdict } from '../checks/check-folder';
import type { DistributedVerdict } from '../distributed/check-distributed';
import type { RaceOptions } from '../faults-arguments';
import type { Ledger } from '../ledger/ledger';
import type { RaceClient } from './race-client';
import type { Racer, Raising } from './racer';

export type RaceVerdict = FolderVerdict | DistributedVerdict;

export interface RaceSummary extends RaceOptions {
  readonly summary: 'races';
  readonly ok: boolean;
  readonly seconds: number;
  /** Acknowledged increments, by their kind of write. */
  readonly raised: Readonly<Record<Raising, number>>;
  /** Increments that another racer overtook; each was read and tried again. */
  readonly overtaken: number;
  readonly reads: number;
  /** Unconditional writes of other aspects of the same entities. */
  readonly others: { readonly sync: number; readonly async: number };
  /** How long increments, and patches of marks, waited for their answers. */
  readonly answered?: Latencies;
  /** The result of the check after all writes; absent when the run did not get there. */
  readonly verified?: RaceVerdict;
  readonly violation?: string;
}

export interface RaceSummaryDeps {
  readonly options: RaceOptions;
  readonly seconds: number;
  readonly racers: readonly Racer[];
  readonly client: RaceClient | undefined;
  readonly ledger: Ledger;
  readonly verified: RaceVerdict | undefined;
  readonly violation: string | undefined;
}

export function summarizeRaceRun(deps: RaceSummaryDeps): RaceSummary {
  const { options, seconds, racers, client, ledger, verified, violation } = deps;
  const answered = toLatencies(client?.answeredMs ?? []);
  const raised = (way: Raising): number => racers.reduce((sum, racer) => sum + racer.raised[way], 0);
  return {
    summary: 'races',
    ok: violation === undefined,
    ...options,
    seconds: Math.round(seconds),
    raised: { condition: raised('condition'), patch: raised('patch'), batch: raised('batch') },
    overtaken: client?.counts.overtaken ?? 0,
    reads: client?.counts.reads ?? 0,
    others: { sync: ledger.counts.sync, async: ledger.counts.async },
    ...(answered.count === 0 ? {} : { answered }),
    ...(verified === undefined ? {} : { verified }),
    ...(violation === undefined ? {} : { violation }),
  };
}
