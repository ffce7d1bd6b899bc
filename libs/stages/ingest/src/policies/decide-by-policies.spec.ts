import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
import type { PolicyField } from './access-policy';
import { decideByPolicies, type PolicyEntity, type PolicyUser } from './decide-by-policies';
import { parsePolicy } from './parse-policy';

const URN = 'urn:li:dataHubPolicy:p';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const ADA = 'urn:li:corpuser:ada';
const TEAM = 'urn:li:corpGroup:team';
const SALES = 'urn:li:domain:sales';
const STEWARD = 'urn:li:ownershipType:steward';

const policy = (members: JsonObject = {}, urn = URN) =>
  parsePolicy(urn, {
    displayName: 'Tags',
    description: '',
    type: 'METADATA',
    state: 'ACTIVE',
    privileges: ['EDIT_ENTITY_TAGS'],
    actors: { allUsers: true },
    ...members,
  });

interface Question {
  readonly user?: Partial<PolicyUser>;
  readonly owners?: PolicyEntity['owners'];
  readonly fields?: readonly (readonly [PolicyField, readonly string[]])[];
  readonly privileges?: readonly string[];
}

const ask = (policies: readonly ReturnType<typeof policy>[], question: Question = {}) =>
  decideByPolicies(policies, {
    user: { urn: ADA, groups: new Set(), roles: new Set(), ...question.user },
    entity: {
      owners: question.owners ?? [],
      fields: new Map([['TYPE', ['dataset']], ['URN', [DATASET]], ...(question.fields ?? [])]),
    },
    privileges: question.privileges ?? ['EDIT_ENTITY_TAGS', 'EDIT_ENTITY'],
  });
const isAllowed = (members: JsonObject, question?: Question) =>
  ask([policy(members)], question).kind === 'allowed';
const reasonFor = (members: JsonObject, question?: Question) => {
  const decision = ask([policy(members)], question);
  return decision.kind === 'rejected' ? decision.near[0]?.reason : undefined;
};

describe('decideByPolicies', () => {
  it('rejects what no policy permits', () => {
    expect(ask([])).toEqual({ kind: 'rejected', near: [] });
    expect(ask([policy()], { privileges: ['EDIT_ENTITY_OWNERS'] })).toEqual({ kind: 'rejected', near: [] });
  });

  it('needs one of the privileges, and tells the policy that has it', () => {
    const edit = policy({ privileges: ['EDIT_ENTITY'] }, 'urn:li:dataHubPolicy:edit');
    expect(ask([policy({ privileges: ['EDIT_LINEAGE'] }), edit])).toEqual({ kind: 'allowed', by: edit });
  });

  it.each([
    ['allUsers', { allUsers: true }, {}, true],
    ['a user', { users: [ADA] }, {}, true],
    ['another user', { users: ['urn:li:corpuser:grace'] }, {}, false],
    ['a group of the user', { groups: [TEAM] }, { user: { groups: new Set([TEAM]) } }, true],
    ['a group of others', { groups: [TEAM] }, {}, false],
    ['allGroups, with a group', { allGroups: true }, { user: { groups: new Set([TEAM]) } }, true],
    ['allGroups, without a group', { allGroups: true }, {}, false],
    ['a role', { roles: ['r'] }, { user: { roles: new Set(['r']) } }, true],
    ['a role of others', { roles: ['r'] }, {}, false],
    ['owners', { resourceOwners: true }, { owners: [{ urn: ADA }] }, true],
    [
      'owners, by a group',
      { resourceOwners: true },
      { owners: [{ urn: TEAM }], user: { groups: new Set([TEAM]) } },
      true,
    ],
    ['owners, and not this user', { resourceOwners: true }, { owners: [{ urn: TEAM }] }, false],
    [
      'owners of a type',
      { resourceOwners: true, resourceOwnersTypes: [STEWARD] },
      { owners: [{ urn: ADA, typeUrn: STEWARD }] },
      true,
    ],
    [
      'owners of another type',
      { resourceOwners: true, resourceOwnersTypes: [STEWARD] },
      { owners: [{ urn: ADA }, { urn: TEAM, typeUrn: STEWARD }] },
      false,
    ],
    ['nobody', {}, { owners: [{ urn: ADA }], user: { groups: new Set([TEAM]) } }, false],
  ] as const)('is for %s', (_name, actors, question, expected) => {
    expect(isAllowed({ actors: actors as unknown as JsonObject }, question)).toBe(expected);
    if (!expected)
      expect(reasonFor({ actors: actors as unknown as JsonObject }, question)).toBe(
        'it is not for this user',
      );
  });

  it.each<readonly [string, JsonObject, boolean]>([
    ['all entities', {}, true],
    ['the former type', { type: 'dataset', allResources: true }, true],
    ['the former type, all of it', { type: 'dataset' }, true],
    ['another former type', { type: 'chart', allResources: true }, false],
    ['former urns', { type: 'dataset', resources: [DATASET] }, true],
    ['former urns of others', { type: 'dataset', resources: ['urn:li:dataset:x'] }, false],
    ['no former urn', { type: 'dataset', resources: [] }, false],
    ['former urns that do not count', { type: 'dataset', resources: [], allResources: true }, true],
    ['a filter instead of former members', { type: 'chart', filter: { criteria: [] } }, true],
  ])('is about %s', (_name, resources, expected) => {
    expect(isAllowed({ resources })).toBe(expected);
    if (!expected) expect(reasonFor({ resources })).toBe('it is not about this entity');
  });

  it.each([
    [[['TYPE', 'EQUALS', ['chart', 'dataset']]], true],
    [[['RESOURCE_TYPE', 'EQUALS', ['dataset']]], true],
    [[['URN', 'STARTS_WITH', ['urn:li:dataset:(urn:li:dataPlatform:hive,shop.']]], true],
    [[['URN', 'STARTS_WITH', ['urn:li:dataset:(urn:li:dataPlatform:kafka,']]], false],
    [[['RESOURCE_URN', 'EQUALS', [DATASET]]], true],
    [[['DOMAIN', 'EQUALS', [SALES]]], true],
    [[['DOMAIN', 'NOT_EQUALS', [SALES]]], false],
    [[['TAG', 'EQUALS', ['urn:li:tag:open']]], false],
    [[['TAG', 'NOT_EQUALS', ['urn:li:tag:secret']]], true],
    [[['TAG', 'EQUALS', []]], false],
    [
      [
        ['TYPE', 'EQUALS', ['dataset']],
        ['DOMAIN', 'EQUALS', ['urn:li:domain:other']],
      ],
      false,
    ],
  ] as const)('is about entities that fit all criteria %j', (criteria, expected) => {
    const filter = { criteria: criteria.map(([field, condition, values]) => ({ field, condition, values })) };
    const resources = { filter } as unknown as JsonObject;
    expect(isAllowed({ resources }, { fields: [['DOMAIN', [SALES]]] })).toBe(expected);
  });

  it.each<readonly [string, JsonObject, string]>([
    ['INACTIVE', { state: 'INACTIVE' }, 'it is INACTIVE'],
    ['of an unknown type', { type: 'OTHER' }, 'its type OTHER is unknown'],
    [
      'with constraints on what is set',
      { resources: { privilegeConstraints: { criteria: [] } } },
      'it has privilegeConstraints, which are not supported',
    ],
    [
      'with an unknown field, even negated',
      { resources: { filter: { criteria: [{ field: 'COLOR', values: ['red'], condition: 'NOT_EQUALS' }] } } },
      'its criterion COLOR is not supported',
    ],
    [
      'with structured properties',
      {
        resources: {
          filter: { criteria: [{ field: 'TYPE', values: ['dataset'], structuredPropertyValues: [] }] },
        },
      },
      'its criterion TYPE is not supported',
    ],
  ])('permits nothing by a policy %s', (_name, members, reason) => {
    const decision = ask([policy(members)]);
    expect(decision.kind).toBe('rejected');
    expect(decision.kind === 'rejected' ? decision.near.map((each) => each.reason) : []).toContain(reason);
  });

  it('permits nothing by a policy that cannot be read', () => {
    expect(ask([parsePolicy(URN, { state: 'ACTIVE' })])).toEqual({ kind: 'rejected', near: [] });
  });

  it('counts a privilege in policies of its type only', () => {
    const managing = { privileges: ['MANAGE_POLICIES', 'EDIT_ENTITY'] };
    const platform = { ...managing, type: 'PLATFORM' };
    expect(isAllowed(managing, { privileges: ['EDIT_ENTITY'] })).toBe(true);
    expect(isAllowed(managing, { privileges: ['MANAGE_POLICIES'] })).toBe(false);
    expect(isAllowed(platform, { privileges: ['EDIT_ENTITY'] })).toBe(false);
    expect(isAllowed(platform, { privileges: ['MANAGE_POLICIES'] })).toBe(true);
  });

  it('names the policies that one condition keeps from permitting, and no others', () => {
    const off = policy({ state: 'INACTIVE' }, 'urn:li:dataHubPolicy:off');
    const others = policy({ actors: { users: [TEAM] } }, 'urn:li:dataHubPolicy:others');
    const farther = policy({ actors: {}, state: 'INACTIVE' }, 'urn:li:dataHubPolicy:farther');
    expect(ask([off, farther, others])).toEqual({
      kind: 'rejected',
      near: [
        { policy: off, reason: 'it is INACTIVE' },
        { policy: others, reason: 'it is not for this user' },
      ],
    });
  });
});
