import type { MemberFault } from '@stratalog/domain';
import { isJsonObject, type JsonValue } from '@stratalog/json';

const LIMITS = [
  ['version', 'maxVersions'],
  ['time', 'maxAgeInSeconds'],
] as const;

/**
 * Finds faults of a retention policy beyond its schema: a limit that would purge the latest version.
 *
 * **Source**: `docs/what/retention.md`, Policies.
 */
export function findRetentionFaults(config: JsonValue): readonly MemberFault[] {
  const retention = isJsonObject(config) ? config.retention : undefined;
  if (!isJsonObject(retention)) return [];
  return LIMITS.flatMap(([limit, member]): MemberFault[] => {
    const own = retention[limit];
    const value = isJsonObject(own) ? own[member] : undefined;
    if (typeof value !== 'number' || value > 0) return [];
    return [{ path: `/retention/${limit}/${member}`, reason: `${String(value)} is not greater than 0` }];
  });
}
