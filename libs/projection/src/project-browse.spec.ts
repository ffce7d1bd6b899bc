import { describe, expect, it } from '@jest/globals';
import type { SearchField, SearchFieldType } from '@stratalog/domain';
import { toFilterToken } from '@stratalog/search-text';
import { projectBrowse } from './project-browse';

const URN = 'urn:li:dashboard:(looker,baz1)';

const field = (type: SearchFieldType): SearchField => ({
  name: 'paths',
  type,
  queryByDefault: false,
  boost: 1,
  autocomplete: false,
  aliases: [],
});
const projectTokens = (type: SearchFieldType, urn: string, ...paths: readonly string[]): readonly string[] =>
  projectBrowse(field(type), urn, paths).filters['paths/']?.tokens ?? [];
const tokens = (...values: readonly string[]): readonly string[] => values.map(toFilterToken);

describe('projectBrowse', () => {
  it('lists an entity in the last folder of its path, within all folders above', () => {
    const { facets } = projectBrowse(field('BROWSE_PATH'), URN, ['/prod/hive/sales']);
    expect(facets).toEqual({
      'paths/1': ['/prod'],
      'paths/2': ['/prod/hive'],
      'paths/3': ['/prod/hive/sales'],
    });
    expect(projectTokens('BROWSE_PATH', URN, '/prod/hive/sales')).toEqual(
      tokens('at /prod/hive/sales', 'in ', 'in /prod', 'in /prod/hive'),
    );
  });

  it('lists an entity whose path ends with its own name in the folder above too, and makes no folder of the name', () => {
    const { facets } = projectBrowse(field('BROWSE_PATH'), URN, ['/looker/BAZ1']);
    expect(facets).toEqual({ 'paths/1': ['/looker'] });
    expect(projectTokens('BROWSE_PATH', URN, '/looker/BAZ1')).toEqual(
      tokens('at /looker', 'at /looker/BAZ1', 'in '),
    );
    const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)';
    expect(projectTokens('BROWSE_PATH', dataset, '/prod/sales/orders')).toEqual(
      tokens('at /prod/sales', 'at /prod/sales/orders', 'in ', 'in /prod'),
    );
  });

  it('lists an entity without steps at the root', () => {
    expect(projectTokens('BROWSE_PATH', URN, '/')).toEqual(tokens('at '));
    expect(projectTokens('BROWSE_PATH', URN, '/baz1')).toEqual(tokens('at ', 'at /baz1'));
  });

  it('keeps the names of the newer paths, whatever the entity is called', () => {
    const { facets } = projectBrowse(field('BROWSE_PATH_V2'), URN, ['␟urn:li:container:a/b␟baz1']);
    expect(facets).toEqual({
      'paths/1': ['␟urn:li:container:a/b'],
      'paths/2': ['␟urn:li:container:a/b␟baz1'],
    });
  });

  it('counts a folder once for an entity with several paths in it', () => {
    const { facets } = projectBrowse(field('BROWSE_PATH'), URN, ['/a/x', '/a/y', '/b']);
    expect(facets).toEqual({ 'paths/1': ['/a', '/b'], 'paths/2': ['/a/x', '/a/y'] });
  });

  it('bounds paths and steps, and ignores other fields', () => {
    const deep = `/${Array.from({ length: 500 }, (_, at) => `s${String(at)}`).join('/')}`;
    const { facets } = projectBrowse(
      field('BROWSE_PATH'),
      URN,
      Array.from({ length: 500 }, (_, at) => `/p${String(at)}${deep}`),
    );
    expect(Object.keys(facets)).toHaveLength(32);
    expect(facets['paths/1']).toHaveLength(100);
    expect(projectBrowse(field('TEXT'), URN, ['/a/b'])).toEqual({ facets: {}, filters: {} });
  });
});
