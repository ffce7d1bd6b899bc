import { APPS } from '../settings/distributed-setting-specs';
import type { InstanceHealth } from './heartbeat';

export interface RoleHealth {
  readonly name: string;
  /** The best status among its instances; `missing` without a live one. */
  readonly status: string;
  /** The number of its live instances. */
  readonly instances: number;
  /** The number of unprocessed records in its log; absent where no instance knows it. */
  readonly lag?: number;
}

/** The roles that a catalog needs. */
const ROLES = [...APPS, 'writer', 'indexer'] as const;

const BEST_FIRST = ['ready', 'degraded', 'starting', 'stopping'];

/** Aggregates the instances of a catalog by role. */
export function roleHealth(instances: readonly InstanceHealth[]): readonly RoleHealth[] {
  return ROLES.map((name) => {
    const live = instances.filter(({ roles, status }) => roles.includes(name) && status !== 'lost');
    const lags = live.flatMap(({ lag }) => lag[name] ?? []);
    return {
      name,
      status: BEST_FIRST.find((status) => live.some((instance) => instance.status === status)) ?? 'missing',
      instances: live.length,
      // Each instance counts the whole log, at slightly different times.
      ...(lags.length === 0 ? {} : { lag: Math.max(...lags) }),
    };
  });
}
