import {
  ForbiddenError,
  entityTypeIn,
  isPolicyBound,
  type Principal,
  type Proposal,
  type Steps,
} from '@stratalog/model';
import { inSlices, type AspectStore } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import type { AccessPolicy } from './access-policy';
import { decideByPolicies, type NearPolicy, type PolicyUser } from './decide-by-policies';
import { findPrivileges } from './privileges';
import { readPolicyEntities, readPolicyUser, type KnownEntity } from './read-policy-facts';
import type { StoredPolicies } from './stored-policies';

export interface PolicyDeps {
  readonly registry: EntityRegistry;
  readonly store: Pick<AspectStore, 'readEntities'>;
  /** Absent: policies are off, and every write is permitted. */
  readonly policies?: StoredPolicies | undefined;
}

interface Write extends Pick<Proposal, 'urn' | 'changeType'> {
  /** Absent, like the key aspect: the whole entity. */
  readonly aspectName?: string | undefined;
}
/** Most policies that a rejection names. */
const MAX_NAMED = 3;

/**
 * Rejects writes that no policy permits: as a whole, when one of them is not permitted. Policies see the entities as they are before the
 * writes.
 *
 * **Errors**: `ForbiddenError` that names the policies which come closest; `UnavailableError` when the store does not answer.
 *
 * **Source**: `docs/operations/policies.md`.
 */
export async function permitWrites(
  { policies, store, registry }: PolicyDeps,
  principal: Principal,
  writes: readonly Write[],
): Promise<void> {
  if (policies === undefined || !isPolicyBound(principal) || writes.length === 0) return;
  const current = await policies.current();
  const fields = new Set(current.flatMap(({ criteria }) => criteria.map(({ field }) => field)));
  const urns = [...new Set(writes.map(({ urn }) => urn))];
  const user = await readPolicyUser(store, principal.actor);
  const entities = await readPolicyEntities(store, urns, fields);
  await inSlices(rejectFirst({ policies: current, user, entities, registry }, writes));
}

interface Judging {
  readonly policies: readonly AccessPolicy[];
  readonly user: PolicyUser;
  readonly entities: ReadonlyMap<string, KnownEntity>;
  readonly registry: EntityRegistry;
}

function* rejectFirst(
  { policies, user, entities, registry }: Judging,
  writes: readonly Write[],
): Steps<void> {
  const permitted = new Set<string>();
  for (const write of writes) {
    const { urn } = write;
    const entity = entities.get(urn);
    const aspectName = deletesEntity(registry, write) ? undefined : write.aspectName;
    const key = `${urn} ${aspectName ?? ''}`;
    if (entity === undefined || permitted.has(key)) continue;
    const privileges = findPrivileges({ entityType: entityTypeIn(urn), aspectName, exists: entity.exists });
    const decision = decideByPolicies(policies, { user, entity, privileges });
    if (decision.kind === 'rejected') {
      const act = aspectName === undefined ? `delete ${urn}` : `write ${aspectName} of ${urn}`;
      throw new ForbiddenError(
        `This call is not permitted: no policy lets ${user.urn} ${act}, which needs ${privileges.join(' or ')}${describe(decision.near)}`,
      );
    }
    permitted.add(key);
    yield;
  }
}

function deletesEntity(registry: EntityRegistry, { urn, aspectName, changeType }: Write): boolean {
  if (changeType !== 'DELETE') return false;
  return aspectName === undefined || registry.entityType(entityTypeIn(urn))?.keyAspect.name === aspectName;
}

function describe(near: readonly NearPolicy[]): string {
  return near
    .slice(0, MAX_NAMED)
    .map(
      ({ policy, reason }) => `. Policy "${policy.name.slice(0, 100)}" (${policy.urn}) would, but ${reason}`,
    )
    .join('');
}
