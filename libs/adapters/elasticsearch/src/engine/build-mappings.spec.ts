import { expect, test } from '@jest/globals';
import { buildMappings, buildMetaMappings } from './build-mappings';

const mark = { product: 'stratalog', indexVersion: '0a1b2c3d' } as const;

test('an index has these fields, and only fields for orders and facets are added later', () => {
  const { mappings, index } = buildMappings('an-index', mark);
  expect(index).toBe('an-index');
  expect(mappings.dynamic).toBe(false);
  expect(Object.keys(mappings.properties ?? {}).sort()).toEqual([
    'deleted',
    'entityType',
    'facets',
    'keys',
    'order',
    'places',
    'removed',
    'tier1',
    'tier2',
    'tier3',
    'tokens',
    'urn',
    'weight',
    'words',
  ]);
  const mapping = { type: 'keyword', index: false };
  expect(mappings.dynamic_templates).toEqual([
    { orders: { path_match: 'order.*', mapping } },
    { facets: { path_match: 'facets.*', mapping } },
  ]);
});

test('an index carries its mark and a write alias', () => {
  expect(buildMappings('an-index', mark).mappings._meta).toEqual(mark);
  expect(Object.keys(buildMappings('an-index', mark).aliases)).toEqual(['an-index.write']);
  expect(buildMetaMappings('meta')).toMatchObject({
    settings: { hidden: true },
    mappings: { dynamic: false, _meta: { product: 'stratalog' } },
  });
});
