import type { AccessPolicy, PolicyCriterion, PolicyField } from './access-policy';

/** A user, with what the catalog knows about its rights. */
export interface PolicyUser {
  readonly urn: string;
  readonly groups: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
}

/** An entity before the write. */
export interface PolicyEntity {
  readonly owners: readonly { readonly urn: string; readonly typeUrn?: string | undefined }[];
  /** A field without values may be absent. */
  readonly fields: ReadonlyMap<PolicyField, readonly string[]>;
}

export interface PolicyQuery {
  readonly user: PolicyUser;
  readonly entity: PolicyEntity;
  /** One of them is enough. */
  readonly privileges: readonly string[];
}

/** A policy that permits such a write, but not this one, and the end of a sentence that says why. */
export interface NearPolicy {
  readonly policy: AccessPolicy;
  readonly reason: string;
}

export type PolicyDecision =
  | { readonly kind: 'allowed'; readonly by: AccessPolicy }
  /** `near`: policies that a single condition keeps from permitting the write. */
  | { readonly kind: 'rejected'; readonly near: readonly NearPolicy[] };

/** Decides whether one of the policies permits a write. What no policy permits is rejected. */
export function decideByPolicies(policies: readonly AccessPolicy[], question: PolicyQuery): PolicyDecision {
  const near: NearPolicy[] = [];
  for (const policy of policies) {
    if (!question.privileges.some((privilege) => policy.privileges.has(privilege))) continue;
    const [reason, ...others] = listObstacles(policy, question);
    if (reason === undefined) return { kind: 'allowed', by: policy };
    if (others.length === 0) near.push({ policy, reason });
  }
  return { kind: 'rejected', near };
}

function listObstacles(policy: AccessPolicy, { user, entity }: PolicyQuery): readonly string[] {
  const { fault, criteria, actors } = policy;
  return [
    ...(fault === undefined ? [] : [fault]),
    ...(isFor(actors, user, entity) ? [] : ['it is not for this user']),
    ...(criteria.every((criterion) => holds(criterion, entity)) ? [] : ['it is not about this entity']),
  ];
}

function isFor(actors: AccessPolicy['actors'], user: PolicyUser, entity: PolicyEntity): boolean {
  const { users, groups, roles, allUsers, allGroups } = actors;
  return (
    allUsers ||
    users.includes(user.urn) ||
    (allGroups && user.groups.size > 0) ||
    groups.some((group) => user.groups.has(group)) ||
    roles.some((role) => user.roles.has(role)) ||
    (actors.resourceOwners && owns(user, entity, actors.resourceOwnersTypes))
  );
}

/** A member of a group owns what the group owns. */
function owns(user: PolicyUser, { owners }: PolicyEntity, types: readonly string[] | undefined): boolean {
  return owners.some(
    ({ urn, typeUrn }) =>
      (urn === user.urn || user.groups.has(urn)) &&
      (types === undefined || (typeUrn !== undefined && types.includes(typeUrn))),
  );
}

function holds({ field, condition, values }: PolicyCriterion, { fields }: PolicyEntity): boolean {
  const found = fields.get(field) ?? [];
  switch (condition) {
    case 'EQUALS':
      return found.some((value) => values.includes(value));
    case 'NOT_EQUALS':
      return !found.some((value) => values.includes(value));
    case 'STARTS_WITH':
      return found.some((value) => values.some((prefix) => value.startsWith(prefix)));
  }
}
