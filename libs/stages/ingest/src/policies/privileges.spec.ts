import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from '@jest/globals';
import { loadModel } from '@stratalog/registry';
import { ASPECTS_BY_PRIVILEGE, GUARDED_ASPECTS, TYPES_BY_PRIVILEGE, findPrivileges } from './privileges';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../../../../${path}`, import.meta.url));

describe('findPrivileges', () => {
  it.each([
    ['dataset', 'globalTags', true, ['EDIT_ENTITY_TAGS', 'EDIT_ENTITY']],
    ['dataset', 'datasetProperties', true, ['EDIT_ENTITY']],
    ['dataset', 'datasetProperties', false, ['EDIT_ENTITY', 'CREATE_ENTITY']],
    ['dataset', undefined, true, ['DELETE_ENTITY']],
    ['tag', 'tagProperties', true, ['EDIT_ENTITY', 'MANAGE_TAGS']],
    ['tag', undefined, true, ['DELETE_ENTITY', 'MANAGE_TAGS']],
    [
      'corpuser',
      'corpUserEditableInfo',
      true,
      ['EDIT_USER_PROFILE', 'EDIT_ENTITY', 'MANAGE_USERS_AND_GROUPS'],
    ],
    ['corpuser', 'groupMembership', true, ['MANAGE_USERS_AND_GROUPS']],
    ['corpuser', 'nativeGroupMembership', false, ['MANAGE_USERS_AND_GROUPS']],
    ['corpGroup', 'roleMembership', true, ['MANAGE_POLICIES']],
    ['dataHubPolicy', 'dataHubPolicyInfo', false, ['MANAGE_POLICIES']],
    ['dataHubPolicy', 'status', true, ['MANAGE_POLICIES']],
    ['dataHubRole', undefined, true, ['MANAGE_POLICIES']],
  ] as const)(
    'given %s, %s, existing: %s, then one of %j is enough',
    (entityType, aspectName, exists, expected) => {
      expect(findPrivileges({ entityType, aspectName, exists })).toEqual(expected);
    },
  );
});

test('names aspects and entity types that the model has', async () => {
  const model = await loadModel({ folders: [fromRoot('models')] });
  const aspects = [...Object.values(ASPECTS_BY_PRIVILEGE).flat(), ...Object.keys(GUARDED_ASPECTS)];
  expect(aspects.filter((name) => model.aspect(name) === undefined)).toEqual([]);
  const types = Object.values(TYPES_BY_PRIVILEGE).flat();
  expect(types.filter((name) => model.entityType(name) === undefined)).toEqual([]);
});

test('docs/operations/policies.md lists them', () => {
  const page = readFileSync(fromRoot('docs/operations/policies.md'), 'utf8');
  const rows = page.matchAll(/^\| `([A-Z_]+)` +\| (.*) \|$/gm);
  const items = page.matchAll(/^- `([A-Z_]+)`: ((?:.+\n {2})*.+)$/gm);
  const listed = [...items, ...rows].map(([, privilege = '', names = '']) => [
    privilege,
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ]);
  expect(Object.fromEntries(listed)).toMatchObject({ ...ASPECTS_BY_PRIVILEGE, ...TYPES_BY_PRIVILEGE });
});
