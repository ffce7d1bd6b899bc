import { authorizeCall, principalOf, touchEntities, type WireRequest } from '@stratalog/http';
import {
  ForbiddenError,
  entityTypeIn,
  isPolicyBound,
  type Principal,
  type Proposal,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';
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
  const judging = await readJudging(deps, principalOf(request), writes);
  if (judging !== undefined) await inSlices(rejectFirst(judging, writes));
}

/** Reads what decides about writes by policies; `undefined` for a caller or a catalog where none do. */
export async function readJudging(
  { policies, store, registry }: PolicyDeps,
  principal: Principal,
  writes: readonly Write[],
): Promise<Judging | undefined> {
  if (policies === undefined || !isPolicyBound(principal) || writes.length === 0) return undefined;
  const current = await policies.current();
  const fields = new Set(current.flatMap(({ criteria }) => criteria.map(({ field }) => field)));
  const urns = [...new Set(writes.map(({ urn }) => urn))];
  const user = await readPolicyUser(store, principal.actor);
  const entities = await readPolicyEntities(store, urns, fields);
  return { policies: current, user, entities, registry };
}

/** What decides about writes by policies. */
export interface Judging {
  readonly policies: readonly AccessPolicy[];
  readonly user: PolicyUser;
  readonly entities: ReadonlyMap<string, KnownEntity>;
  readonly registry: EntityRegistry;
}

function* rejectFirst(judging: Judging, writes: readonly Write[]): Steps<void> {
  const permitted = new Set<string>();
  for (const write of writes) {
    const { urn, aspectName } = write;
    const key = `${urn} ${deletesEntity(judging.registry, write) ? '' : (aspectName ?? '')}`;
    if (permitted.has(key)) continue;
    const reason = findObstacle(judging, write);
    if (reason !== undefined) throw new ForbiddenError(`This call is not permitted: ${reason}`);
    permitted.add(key);
    yield;
  }
}

/** Says why no policy permits a write, as the end of a sentence; `undefined` when one does. */
export function findObstacle(
  { policies, user, entities, registry }: Judging,
  write: Write,
): string | undefined {
  const { urn } = write;
  const entity = entities.get(urn);
  if (entity === undefined) return undefined;
  const aspectName = deletesEntity(registry, write) ? undefined : write.aspectName;
  const privileges = findPrivileges({ entityType: entityTypeIn(urn), aspectName, exists: entity.exists });
  const decision = decideByPolicies(policies, { user, entity, privileges });
  if (decision.kind === 'allowed') return undefined;
  const act = aspectName === undefined ? `delete ${urn}` : `write ${aspectName} of ${urn}`;
  return `no policy lets ${user.urn} ${act}, which needs ${privileges.join(' or ')}${describe(decision.near)}`;
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
