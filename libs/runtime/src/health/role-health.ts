import { APPS } from '../settings/distributed-settings';
import type { InstanceHealth } from './heartbeat';

export interface RoleHealth {
  readonly name: string;
  /** The best status among its instances; `missing` without a live one. */
  readonly status: string;
  /** The number of its live instances. */
  readonly instances: number;
  /** The number of unprocessed records in its log; absent where no instance has told it. */
  readonly lag?: number;
  /** True when no live instance tells the lag: it is the last one that was told. */
  readonly isLagStale?: true;
}

/** The roles that a catalog needs. */
const ROLES = [...APPS, 'writer', 'indexer'] as const;

const BEST_FIRST = ['ready', 'degraded', 'starting', 'stopping'];

/** Aggregates the instances of a catalog by role; `lastLags` has the last lag that an instance of each role has told. */
export function roleHealth(
  instances: readonly InstanceHealth[],
  lastLags: ReadonlyMap<string, number> = new Map(),
): readonly RoleHealth[] {
  return ROLES.map((name) => {
    const live = instances.filter(({ roles, status }) => roles.includes(name) && status !== 'lost');
    const lags = live.flatMap(({ lag }) => lag[name] ?? []);
    return {
      name,
      status: BEST_FIRST.find((status) => live.some((instance) => instance.status === status)) ?? 'missing',
      instances: live.length,
      ...toLag(lags, lastLags.get(name)),
    };
  });
}

/** Each instance counts the whole log, at slightly different times. */
function toLag(lags: readonly number[], last: number | undefined): Pick<RoleHealth, 'lag' | 'isLagStale'> {
  if (lags.length > 0) return { lag: Math.max(...lags) };
  return last === undefined ? {} : { lag: last, isLagStale: true };
}
