import { describe, expect, test } from '@jest/globals';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import { Ajv2020 } from 'ajv/dist/2020';
import { loadShippedModel } from '../testing/shipped-model';
import { compileDefinition } from './compile-test';
import { DEFINITION_SCHEMA } from './definition-schema';

const registry = await loadShippedModel();
const isValid = new Ajv2020({ allowUnionTypes: true }).compile(DEFINITION_SCHEMA);

const OWNED = { property: 'ownership.owners.owner', operator: 'exists' };
const about = (rules: JsonValue, more: Record<string, JsonValue> = {}): JsonValue => ({
  on: { types: ['dataset'] },
  rules,
  ...more,
});

describe('the JSON Schema of definitions', () => {
  test.each<readonly [string, JsonValue]>([
    ['a draft', {}],
    ['no rules', about([])],
    ['a comparison', about(OWNED)],
    ['and, or, not', about({ and: [{ or: [OWNED] }, { not: OWNED }, { not: [OWNED] }], negate: true })],
    ['one predicate in place of a list', about({ or: OWNED })],
    ['operands in params', about({ query: 'urn', operation: 'STARTS_WITH', params: { values: ['urn'] } })],
    ['a count', about({ property: 'ownership.owners', operator: 'count', at_least: 1 })],
    [
      'a quantifier',
      about({ every: 'ownership.owners', where: [], rules: { property: 'owner', operator: 'exists' } }),
    ],
    [
      'a range',
      about({
        property: 'datasetProfile.rowCount',
        aggregate: 'maximum',
        within: '30d',
        operator: 'less_than',
        value: 5,
      }),
    ],
    [
      'descriptions',
      about({ ...OWNED, description: 'Who answers for it?' }, { description: 'About owners' }),
    ],
    ['actions', about(OWNED, { actions: { failing: [{ type: 'ADD_TAGS', values: ['urn:li:tag:a'] }] } })],
    [
      'actions with parameters in both places',
      about(OWNED, {
        actions: {
          passing: [{ type: 'remove_tags', value: 'urn:li:tag:a', description: 'Owned' }],
          failing: [
            {
              type: 'ADD_OWNERS',
              params: { values: ['urn:li:corpuser:a'], ownerType: ['NONE'] },
              takeBack: true,
            },
            { type: 'SET_STRUCTURED_PROPERTY', property: 'urn:li:structuredProperty:a', values: [1, 'b'] },
            { type: 'DEPRECATE', note: 'Unused', decommissionTime: 5 },
          ],
        },
      }),
    ],
  ])('accepts %s, and so does the checker', (_, definition) => {
    expect(compileDefinition(registry, stringifyJson(definition)).kind).not.toBe('faulty');
    expect(isValid(definition)).toBe(true);
  });

  test.each<readonly [string, JsonValue]>([
    ['a list', []],
    ['no types', { on: {}, rules: [] }],
    ['an unknown member', about(OWNED, { rule: [] })],
    ['an unknown operator', about({ property: 'urn', operator: 'equls', value: 'x' })],
    ['no property', about({ operator: 'exists' })],
    ['both names of a property', about({ ...OWNED, query: 'urn' })],
    ['a quantifier without rules', about({ every: 'ownership.owners' })],
    ['no duration', about({ property: 'datasetProfile.rowCount', within: 'a week', operator: 'exists' })],
    ['a range of no time', about({ property: 'datasetProfile.rowCount', within: '00d', operator: 'exists' })],
    ['an action without a value', about(OWNED, { actions: { passing: [{ type: 'ADD_TAGS', values: [] }] } })],
    ['no true or false', about(OWNED, { actions: { passing: [{ type: 'DEPRECATE', takeBack: 'yes' }] } })],
    ['an action without a type', about(OWNED, { actions: { passing: [{}] } })],
  ])('rejects %s, and so does the checker', (_, definition) => {
    expect(compileDefinition(registry, stringifyJson(definition)).kind).toBe('faulty');
    expect(isValid(definition)).toBe(false);
  });
});
