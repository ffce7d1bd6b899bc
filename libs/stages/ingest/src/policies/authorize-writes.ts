import { authorizeCall, principalOf, touchEntities, type WireRequest } from '@stratalog/http';
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

/** Types of the entities that say who may do what. */
const ACCESS_TYPES: ReadonlySet<string> = new Set(['dataHubPolicy', 'dataHubRole']);

/**
 * Decides about the writes of a call, as a whole: rejects all when one of them is not permitted, by the scopes and limits of the caller, or by the
 * stored policies. Policies see the entities as they are before the writes.
 *
 * A write of the change type `DELETE` destroys, and so does a retention policy, which lets the catalog delete versions of any entity. A
 * call with such a write has an audit record, as one has that changes a policy or a role.
 *
 * **Errors**: `UnauthenticatedError` for a caller without a token; `ForbiddenError` that names the missing scope, the limit, or the policies which come closest;
 * `UnavailableError` when the store does not answer.
 *
 * **Source**: `docs/operations/policies.md`.
 */
export async function authorizeWrites(
  deps: PolicyDeps,
  request: WireRequest,
  writes: readonly Write[],
): Promise<void> {
  for (const write of writes) {
    const entityType = entityTypeIn(write.urn);
    const destroys = write.changeType === 'DELETE' || entityType === 'dataHubRetention';
    if (destroys || ACCESS_TYPES.has(entityType)) (request.audited ??= []).push(write);
    authorizeCall(request, touchEntities([write.urn]), destroys ? 'destroys' : 'writes');
  }
  const principal = principalOf(request);
  if (deps.policies === undefined || !isPolicyBound(principal) || writes.length === 0) return;
  await permitByPolicies({ ...deps, policies: deps.policies }, principal, writes);
}

async function permitByPolicies(
  { policies, store, registry }: PolicyDeps & { readonly policies: StoredPolicies },
  { actor }: Principal,
  writes: readonly Write[],
): Promise<void> {
  const current = await policies.current();
  const fields = new Set(current.flatMap(({ criteria }) => criteria.map(({ field }) => field)));
  const urns = [...new Set(writes.map(({ urn }) => urn))];
  const user = await readPolicyUser(store, actor);
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
