import { describe, expect, test } from '@jest/globals';
import type { SearchField } from '@stratalog/model';
import { NO_SYNONYMS } from '../synonyms/synonyms';
import { parseInput } from './parse-input';

const field = (name: string, type: SearchField['type'], aliases: readonly string[]): SearchField => ({
  ...{ name, type, queryByDefault: true, boost: 1, autocomplete: false, aliases },
});
const makeType = (...fields: readonly SearchField[]) => ({
  searchFields: new Map(fields.flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each]))),
});
const DATASET = makeType(field('name', 'WORD_GRAM', ['label']), field('rows', 'COUNT', ['size']));
const CHART = makeType(field('title', 'WORD_GRAM', ['label']), field('bytes', 'COUNT', ['size']));
const USER = makeType(field('name', 'WORD_GRAM', ['label']));

const parse = (input: string, ...entityTypes: readonly (typeof DATASET)[]) =>
  parseInput(input, { entityTypes, synonyms: NO_SYNONYMS, joins: false });

describe('an alias', () => {
  test('given types that mean different fields, then any of them matches, whatever the order of the types', () => {
    for (const types of [
      [DATASET, CHART, USER],
      [USER, CHART, DATASET],
    ]) {
      expect(parse('label:orders', ...types).query).toEqual({
        kind: 'or',
        nodes: ['name', 'title'].map((name) => ({
          kind: 'word',
          field: name,
          anyOf: ['orders', 'order', 'Sorder'],
        })),
      });
    }
  });

  test('given types that mean one field, then that field matches', () => {
    expect(parse('label:*', DATASET, USER).query).toEqual({ kind: 'exists', field: 'name' });
  });

  test('given a range, then it compares each of the fields', () => {
    expect(parse('size:>5', DATASET, CHART).conditions?.[0]?.[0]?.fields).toEqual(['rows', 'bytes']);
  });
});
