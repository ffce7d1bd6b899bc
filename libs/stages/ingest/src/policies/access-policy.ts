/** Facts of an entity that a policy can ask for. */
export const POLICY_FIELDS = [
  'TYPE',
  'URN',
  'OWNER',
  'DOMAIN',
  'TAG',
  'GLOSSARY',
  'CONTAINER',
  'DATA_PLATFORM_INSTANCE',
  'GROUP_MEMBERSHIP',
] as const;
export type PolicyField = (typeof POLICY_FIELDS)[number];

export const POLICY_CONDITIONS = ['EQUALS', 'STARTS_WITH', 'NOT_EQUALS'] as const;

export interface PolicyCriterion {
  readonly field: PolicyField;
  readonly condition: (typeof POLICY_CONDITIONS)[number];
  readonly values: readonly string[];
}

/** Whom a policy is for; it is enough to fit one member. */
export interface PolicyActors {
  readonly users: readonly string[];
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly allUsers: boolean;
  readonly allGroups: boolean;
  readonly resourceOwners: boolean;
  /** Urns of the ownership types that count for `resourceOwners`; absent: all. */
  readonly resourceOwnersTypes?: readonly string[] | undefined;
}

/** A rule that permits some writes to some users; it forbids none. */
export interface AccessPolicy {
  readonly urn: string;
  readonly name: string;
  /** Why it permits nothing now, as the end of a sentence about it; absent for a policy in force. */
  readonly fault?: string;
  readonly privileges: ReadonlySet<string>;
  /** An entity must fit all of them. */
  readonly criteria: readonly PolicyCriterion[];
  readonly actors: PolicyActors;
}
