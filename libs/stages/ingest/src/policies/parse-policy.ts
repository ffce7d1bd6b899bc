import type { JsonValue } from '@stratalog/json';
import * as z from 'zod';
import {
  POLICY_CONDITIONS,
  POLICY_FIELDS,
  type AccessPolicy,
  type PolicyActors,
  type PolicyCriterion,
  type PolicyField,
} from './access-policy';
import { TYPES_BY_PRIVILEGE } from './privileges';

const texts = z.array(z.string());
const criterion = z.object({
  field: z.string(),
  values: texts,
  condition: z.enum(POLICY_CONDITIONS).default('EQUALS'),
  structuredPropertyValues: z.array(z.unknown()).optional(),
});
const filter = z.object({ criteria: z.array(criterion) });

/** The value of the aspect `dataHubPolicyInfo`, as far as decisions need it. */
const policyInfo = z.object({
  displayName: z.string(),
  type: z.string(),
  state: z.string(),
  privileges: texts,
  resources: z
    .object({
      type: z.string().optional(),
      resources: texts.optional(),
      allResources: z.boolean().default(false),
      filter: filter.optional(),
      privilegeConstraints: filter.optional(),
    })
    .default({ allResources: true }),
  actors: z.object({
    users: texts.default([]),
    groups: texts.default([]),
    roles: texts.default([]),
    allUsers: z.boolean().default(false),
    allGroups: z.boolean().default(false),
    resourceOwners: z.boolean().default(false),
    resourceOwnersTypes: texts.optional(),
  }),
});
type PolicyInfo = z.infer<typeof policyInfo>;

/** Names of fields in older policies. */
const FORMER_FIELDS: Readonly<Record<string, PolicyField>> = { RESOURCE_TYPE: 'TYPE', RESOURCE_URN: 'URN' };

const NO_ACTORS: PolicyActors = {
  users: [],
  groups: [],
  roles: [],
  allUsers: false,
  allGroups: false,
  resourceOwners: false,
};

/**
 * Reads a policy from the value of its aspect `dataHubPolicyInfo`. A policy with a part that is not understood permits nothing: without
 * that part it would permit too much.
 */
export function parsePolicy(urn: string, value: JsonValue): AccessPolicy {
  const parsed = policyInfo.safeParse(value);
  if (!parsed.success) {
    const nothing = { privileges: new Set<string>(), criteria: [], actors: NO_ACTORS };
    return { urn, name: urn, fault: 'it cannot be read', ...nothing };
  }
  const { displayName, type, privileges, resources, actors } = parsed.data;
  const isPlatform = type === 'PLATFORM';
  const criteria = isPlatform ? [] : listCriteria(resources);
  const known = criteria.flatMap((each): PolicyCriterion[] => {
    const field = toField(each.field);
    return field === undefined ? [] : [{ field, condition: each.condition, values: each.values }];
  });
  const fault = findFault(parsed.data, criteria);
  return {
    urn,
    name: displayName,
    ...(fault === undefined ? {} : { fault }),
    privileges: new Set(privileges.filter((name) => Object.hasOwn(TYPES_BY_PRIVILEGE, name) === isPlatform)),
    criteria: known,
    actors,
  };
}

type SentCriterion = z.infer<typeof criterion>;

/** A filter replaces the former members, as in DataHub. */
function listCriteria({
  type,
  resources,
  allResources,
  filter: given,
}: PolicyInfo['resources']): readonly SentCriterion[] {
  if (given !== undefined) return given.criteria;
  return [
    ...(type === undefined ? [] : [{ field: 'TYPE', condition: 'EQUALS' as const, values: [type] }]),
    ...(allResources || resources === undefined
      ? []
      : [{ field: 'URN', condition: 'EQUALS' as const, values: resources }]),
  ];
}

function findFault(
  { type, state, resources }: PolicyInfo,
  criteria: readonly SentCriterion[],
): string | undefined {
  if (state !== 'ACTIVE') return `it is ${state}`;
  if (type !== 'METADATA' && type !== 'PLATFORM') return `its type ${type} is unknown`;
  if (resources.privilegeConstraints !== undefined)
    return 'it has privilegeConstraints, which are not supported';
  const unknown = criteria.find(
    ({ field, structuredPropertyValues }) =>
      toField(field) === undefined || structuredPropertyValues !== undefined,
  );
  return unknown === undefined ? undefined : `its criterion ${unknown.field} is not supported`;
}

function toField(name: string): PolicyField | undefined {
  return POLICY_FIELDS.find((field) => field === name) ?? FORMER_FIELDS[name];
}
