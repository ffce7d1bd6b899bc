import { toLatencies, type Latencies } from '@stratalog/harness';
import type { LoopResult } from './loops';

/** The result of a load. */
export interface LoadFigures extends Latencies {
  readonly seconds: number;
  /** Answers per second. */
  readonly rate: number;
  readonly unsent: number;
  /** CPU that the load generator itself took, in cores. */
  readonly loadCores: number;
}

/** Runs a loop and measures this process's CPU time. */
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
