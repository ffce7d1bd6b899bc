import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@stratalog/json';
import { listFaults } from '../testing/list-faults';

describe('operators and operands', () => {
  test.each<readonly [JsonValue, string]>([
    [{ property: 'datasetProperties.name' }, '/rules/operator is missing'],
    [
      { property: 'datasetProperties.name', operator: 'equls', value: 'x' },
      '/rules/operator is unknown: equls; did you mean equals?',
    ],
    [
      { property: 'datasetProperties.name', operator: 'greater_than', value: 1 },
      '/rules/operator greater_than does not fit datasetProperties.name, which is a text; these do: exists, equals, contains_any, contains, contains_str, starts_with, ends_with, matches, count, unique',
    ],
    [
      { property: 'ownership.owners', operator: 'equals', value: 'x' },
      '/rules/operator equals does not fit ownership.owners, which is a record; these do: exists, count',
    ],
    [{ property: 'datasetProperties.name', operator: 'equals' }, '/rules/operator needs a value'],
    [
      { property: 'datasetProperties.name', operator: 'exists', value: 'x' },
      '/rules/value is not taken by this operator',
    ],
    [
      { property: 'datasetProperties.name', operator: 'exists', vaule: 'x' },
      '/rules/vaule is unknown; did you mean value?',
    ],
    [
      { property: 'datasetProperties.name', operator: 'equals', values: ['x', { a: 1 }] },
      '/rules/values/1 is no text: an object',
    ],
    [
      { property: 'datasetProfile.rowCount', operator: 'greater_than', value: 'many' },
      '/rules/value is no number: many',
    ],
    [
      { property: 'datasetProfile.rowCount', operator: 'greater_than', values: [1, 2] },
      '/rules/operator takes one value, not 2',
    ],
    [
      { property: 'datasetProfile.rowCount', operator: 'between', values: [2, 1] },
      '/rules/operator between needs two values, the lower one first',
    ],
    [
      { property: 'datasetProfile.timestampMillis', operator: 'older_than', value: '7 days' },
      '/rules/value is no duration such as 30m, 12h, 7d or 2w: 7 days',
    ],
    [
      { property: 'ownership.owners', operator: 'count', value: -1 },
      '/rules/value is no whole number from 0: -1',
    ],
    [
      { property: 'ownership.owners', operator: 'exists', at_least: 1 },
      '/rules/at_least is for count only; an operator is named at_least too',
    ],
    [
      { property: 'ownership.owners', operator: 'count' },
      '/rules/operator count needs one value, or at_least and at_most',
    ],
    [
      { property: 'ownership.owners.type', operator: 'equals', value: 'DATAOWNR' },
      '/rules/value is no symbol of com.linkedin.common.OwnershipType: DATAOWNR; did you mean DATAOWNER?',
    ],
    [
      { property: 'ownership.owners.owner', operator: 'equals', value: 'jdoe' },
      '/rules/value is no urn: jdoe',
    ],
    [
      { property: 'ownership.owners.owner', operator: 'equals', value: 'urn:li:tag:pii' },
      '/rules/value is a urn of tag, and the property has urns of corpuser, corpGroup',
    ],
    [
      { property: 'deprecation.deprecated', operator: 'equals', value: 'yes' },
      '/rules/value is neither true nor false: yes',
    ],
    [
      { property: 'datasetProperties.name', operator: 'matches', value: '(a' },
      '/rules/value is no regular expression of RE2: error parsing regexp: missing closing ): `(a`',
    ],
    [
      { property: 'datasetProperties.name', operator: 'matches', value: '(a)\\1' },
      '/rules/value is no regular expression of RE2: error parsing regexp: invalid escape sequence: `\\1`',
    ],
    [
      { property: 'datasetProfile.rowCount', aggregate: 'sum', within: '0d', operator: 'exists' },
      '/rules/within is a range without any time: 0d',
    ],
    [
      { property: 'datasetProperties.name', operator: 'matches', value: '((x{30}){30}){3}' },
      expect.stringContaining('/rules/value is no regular expression of RE2') as unknown as string,
    ],
    [
      { property: 'datasetProperties.name', operator: 'exists', within: '7d' },
      '/rules/within is for timeseries aspects, and datasetProperties.name begins with none',
    ],
    [
      { property: 'datasetProfile.rowCount', aggregate: 'sum', operator: 'less_than', value: 1 },
      '/rules/within is missing: sum needs a range such as 7d',
    ],
    [
      {
        property: 'datasetProfile.rowCount',
        aggregate: 'sum',
        within: '900d',
        operator: 'less_than',
        value: 1,
      },
      '/rules/within is longer than 366 days',
    ],
    [
      { property: 'datasetProfile.rowCount', aggregate: 'summ', within: '7d', operator: 'exists' },
      '/rules/aggregate is none of latest, sum, average, minimum, maximum, count; did you mean sum?',
    ],
  ])('%j is rejected', (rules, line) => {
    expect(listFaults(rules)).toEqual([line]);
  });

  test('the first of several patterns of a million instructions is rejected without compiling it', () => {
    const values = Array.from({ length: 64 }, () => `(?:${'a'.repeat(990)}){1000}`);
    expect(listFaults({ property: 'datasetProperties.name', operator: 'matches', values })).toEqual([
      '/rules/values/0 is too large: about 992000 instructions; at most 2000 are taken',
    ]);
  });

  test.each([
    'a..',
    'datasetProperties.',
    'relationships.',
    'datasetProperties.customProperties.',
    'entityType.',
  ])('given a name of thousands of characters after %s, then the fault is short', (start) => {
    const rules = { property: `${start}${'b'.repeat(9_000)}`, operator: 'less_than', value: 1 };
    expect(listFaults(rules)).toEqual([expect.stringMatching(/^.{1,300}$/)]);
  });

  test.each<readonly [string, JsonValue]>([
    ['a number as text', { property: 'datasetProfile.rowCount', operator: 'GREATER_THAN', value: '10' }],
    [
      'a 64-bit number as text',
      { property: 'datasetProfile.rowCount', operator: 'equals', value: '9007199254740993' },
    ],
    ['a boolean as text', { property: 'deprecation.deprecated', operator: 'equals', value: 'TRUE' }],
    ['a count with bounds', { property: 'ownership.owners', operator: 'count', at_least: 1, at_most: 3 }],
    [
      'a sum of a week',
      {
        property: 'datasetUsageStatistics.totalSqlQueries',
        aggregate: 'sum',
        within: '7d',
        operator: 'greater_than',
        value: 0,
      },
    ],
    [
      'every element of a list',
      {
        every: 'editableSchemaMetadata.editableSchemaFieldInfo',
        where: { property: 'globalTags.tags.tag', operator: 'equals', value: 'urn:li:tag:pii' },
        rules: { property: 'glossaryTerms.terms.urn', operator: 'exists' },
      },
    ],
    [
      'entities as elements',
      {
        none: 'relationships.DownstreamOf',
        rules: { property: 'deprecation.deprecated', operator: 'is_true' },
      },
    ],
    [
      'texts as elements',
      {
        every: 'datasetProperties.tags',
        rules: { property: '.', operator: 'starts_with', value: 't' },
      },
    ],
  ])('given %s, then it compiles', (_, rules) => {
    expect(listFaults(rules)).toEqual([]);
  });
});
