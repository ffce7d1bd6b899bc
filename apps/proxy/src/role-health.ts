import { APPS, type InstanceHealth } from '@stratalog/runtime';

export interface RoleHealth {
  readonly name: string;
  /** The best status among its instances; `missing` without a live one. */
  readonly status: string;
  /** How many live instances it has. */
  readonly instances: number;
  /** How many records of its log nobody has dealt with; absent where no instance knows. */
  readonly lag?: number;
}

/** What a catalog cannot be without. */
const ROLES = [...APPS, 'writer', 'indexer'] as const;

const BEST_FIRST = ['ready', 'degraded', 'starting', 'stopping'];

/** What the instances of a catalog come to, role by role. */
export function roleHealth(instances: readonly InstanceHealth[]): readonly RoleHealth[] {
  return ROLES.map((name) => {
    const live = instances.filter(({ roles, status }) => roles.includes(name) && status !== 'lost');
    const lags = live.flatMap(({ lag }) => lag[name] ?? []);
    return {
      name,
      status: BEST_FIRST.find((status) => live.some((instance) => instance.status === status)) ?? 'missing',
      instances: live.length,
      // Each has counted the whole log, at slightly different times.
      ...(lags.length === 0 ? {} : { lag: Math.max(...lags) }),
    };
  });
}
