import type { Proposal, SystemMetadata } from '@stratalog/domain';
import { isJsonObject, type JsonObject } from '@stratalog/json';
import { formatPatch, runIdOfTest, type ActionOperation, type PlannedPatch } from '@stratalog/metadata-tests';
import type { Clock } from '@stratalog/ports';
import type { EntityRegistry, EntityType } from '@stratalog/registry';
import { testsActor } from '../../system-actor';
import type { ActionPlan } from './plan-actions';

/** Most stopped tests that the provenance of a result names. */
const MAX_STOPPED = 20;

/**
 * Formats planned patches as proposals: one for each test and aspect, in the order of the tests. The first one of an aspect
 * requires the version on which it was decided, so no edit of others is lost, and each has the test as its run.
 */
export function toActionProposals(
  { registry, clock }: { readonly registry: EntityRegistry; readonly clock: Clock },
  { urn, entityType }: { readonly urn: string; readonly entityType: EntityType },
  { patches, versions }: ActionPlan,
): readonly Proposal[] {
  const seen = new Set<string>();
  return groupPatches(patches).map(({ test, aspectName, operations, takesBackLater }): Proposal => {
    const version = versions.get(aspectName);
    const isFirst = version !== undefined && !seen.has(aspectName);
    seen.add(aspectName);
    return {
      urn,
      entityType: entityType.name,
      aspectName,
      changeType: 'PATCH',
      value: formatPatch(operations, aspectName),
      ...(isFirst ? { headers: { 'If-Version-Match': String(version) } } : {}),
      systemMetadata: {
        lastObserved: clock.now(),
        runId: runIdOfTest({ test }),
        ...(takesBackLater === true ? { properties: TAKE_BACK } : {}),
      },
      actor: testsActor(registry),
    };
  });
}

/** Says in the provenance of a write that its test takes it back. A deprecation has no attribution that could. */
const TAKE_BACK = { takeBack: 'true' };

/** Returns whether the provenance of a value says that its test takes it back. */
export function isMarkedAsTakenBack(systemMetadata: SystemMetadata | undefined): boolean {
  const properties = systemMetadata?.properties;
  return isJsonObject(properties) && properties.takeBack === TAKE_BACK.takeBack;
}

/** Returns provenance that names the tests whose actions are not run; none when there are none. */
export function describeStopped({ stopped }: ActionPlan): JsonObject {
  if (stopped.size === 0) return {};
  const named = [...stopped].slice(0, MAX_STOPPED);
  return { properties: Object.fromEntries(named.map(([test, reason]) => [`stopped ${test}`, reason])) };
}

type Group = Pick<PlannedPatch, 'test' | 'aspectName' | 'takesBackLater'> & {
  readonly operations: readonly ActionOperation[];
};

function groupPatches(patches: readonly PlannedPatch[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { test, aspectName, operations, rejection, takesBackLater = false } of patches) {
    if (rejection !== undefined) continue;
    const key = `${aspectName} ${test}`;
    const former = groups.get(key)?.operations ?? [];
    groups.set(key, { test, aspectName, operations: [...former, ...operations], takesBackLater });
  }
  return [...groups.values()];
}
