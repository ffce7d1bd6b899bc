import { toLatencies, type Latencies } from '../machine/latencies';
import type { LoopResult } from './loops';

/** What a load came to. */
export interface LoadFigures extends Latencies {
  readonly seconds: number;
  /** Answers per second. */
  readonly rate: number;
  readonly unsent: number;
  /** CPU that the load generator itself took, in cores. */
  readonly loadCores: number;
}

/** Runs a loop and takes this process's CPU time with it. */
export async function toFigures(
  loop: () => Promise<LoopResult>,
): Promise<{ readonly figures: LoadFigures; readonly latenciesMs: readonly number[] }> {
  const before = process.cpuUsage();
  const { seconds, latenciesMs, unsent } = await loop();
  const { user, system } = process.cpuUsage(before);
  const latencies = toLatencies(latenciesMs);
  const figures = {
    ...latencies,
    seconds,
    rate: latencies.count / seconds,
    unsent,
    loadCores: (user + system) / 1e6 / seconds,
  };
  return { figures, latenciesMs };
}
