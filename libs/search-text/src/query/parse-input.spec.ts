import { describe, expect, test } from '@jest/globals';
import type { SearchField } from '@stratalog/domain';
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
  test('matches any of the fields that types mean by it, whatever the order of the types', () => {
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

  test('matches the one field that all types mean by it', () => {
    expect(parse('label:*', DATASET, USER).query).toEqual({ kind: 'exists', field: 'name' });
  });

  test('compares each of the fields with a range', () => {
    expect(parse('size:>5', DATASET, CHART).conditions?.[0]?.[0]?.fields).toEqual(['rows', 'bytes']);
  });
});
