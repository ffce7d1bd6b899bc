import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@stratalog/json';
import { NOW_MS, evaluateOn } from '../testing/evaluate-on';
import { ORDERS, JDOE, PII, evaluate, registry } from '../testing/orders-store';

describe('comparisons', () => {
  test.each<readonly [JsonValue, boolean]>([
    [{ property: 'datasetProperties.name', operator: 'exists' }, true],
    // Blanks describe nothing.
    [{ property: 'datasetProperties.description', operator: 'exists' }, false],
    [{ property: 'editableDatasetProperties.description', operator: 'exists' }, false],
    [{ property: 'datasetProperties.tags', operator: 'equals', value: 'daily' }, true],
    [{ property: 'datasetProperties.tags', operator: 'contains', value: 'gol' }, true],
    [{ property: 'datasetProperties.tags', operator: 'contains_any', values: ['gol', 'dail'] }, false],
    [{ property: 'datasetProperties.tags', operator: 'starts_with', value: 'da' }, true],
    [{ property: 'datasetProperties.tags', operator: 'ends_with', value: 'da' }, false],
    [{ property: 'datasetProperties.name', operator: 'matches', value: '[a-z]+' }, true],
    [{ property: 'datasetProperties.name', operator: 'matches', value: 'order' }, false],
    [{ property: 'datasetProperties.customProperties.team', operator: 'equals', value: 'sales' }, true],
    [{ property: 'datasetProperties.customProperties.a\\.b', operator: 'equals', value: 'dotted' }, true],
    [{ property: 'datasetProperties.customProperties.*', operator: 'equals', value: 'dotted' }, true],
    [{ property: 'ownership.owners', operator: 'count', value: 2 }, true],
    [{ property: 'ownership.owners', operator: 'count', at_least: 3 }, false],
    [{ property: 'ownership.owners', operator: 'count', at_least: 1, at_most: 2 }, true],
    [{ property: 'ownership.owners.type', operator: 'contains', value: 'DEVELOPER' }, true],
    [{ property: 'ownership.owners.owner', operator: 'unique' }, true],
    [{ property: 'ownership.owners.owner', operator: 'equals', value: JDOE }, true],
    [
      { property: 'ownership.owners.owner.corpUserStatus.status', operator: 'equals', value: 'SUSPENDED' },
      true,
    ],
    [{ property: 'relationships.DownstreamOf', operator: 'count', value: 2 }, true],
    [{ property: 'relationships.OwnedBy.corpUserStatus.status', operator: 'equals', value: 'GONE' }, false],
    [{ property: 'urn', operator: 'equals', value: ORDERS }, true],
    [{ property: 'urn', operator: 'contains_str', value: ',orders,' }, true],
    [{ property: 'entityType', operator: 'equals', value: 'dataset' }, true],
    [{ property: 'upstreamLineage.upstreams.dataset.deprecation.deprecated', operator: 'is_true' }, true],
    [{ property: 'datasetKey.origin', operator: 'equals', value: 'PROD' }, true],
    [{ property: 'datasetProfile.rowCount', operator: 'equals', value: '40' }, true],
    [{ property: 'datasetProfile.rowCount', operator: 'between', values: [40, 41] }, true],
    [{ property: 'datasetProfile.timestampMillis', operator: 'younger_than', value: '1w' }, true],
    [{ property: 'datasetProfile.timestampMillis', operator: 'older_than', value: '24h' }, true],
    [{ property: 'operation.timestampMillis', operator: 'younger_than', value: '1w' }, false],
  ])('%j: %j', (rules, holds) => {
    expect(evaluate(rules)).toBe(holds ? 'passing' : 'failing');
    expect(evaluate({ not: rules })).toBe(holds ? 'failing' : 'passing');
  });

  test.each<readonly [string, number, string, number]>([
    ['sum', 70, '7d', 0],
    ['average', 35, '7d', -1],
    ['minimum', 30, '7d', -1],
    ['maximum', 500, '30d', -1],
    ['count', 3, '4w', 0],
  ])('the %s of rows is %i within %s, and %i without values', (aggregate, expected, within, ofNone) => {
    const equals = (property: string, value: number): JsonValue => ({
      property,
      aggregate,
      within,
      operator: 'equals',
      value,
    });
    expect(evaluate(equals('datasetProfile.rowCount', expected))).toBe('passing');
    expect(evaluate(equals('operation.numAffectedRows', ofNone))).toBe(ofNone === 0 ? 'passing' : 'failing');
  });
});

describe('aggregates of 64-bit integers', () => {
  const BIG = 2n ** 53n;
  const evaluateRows = (
    rows: readonly (number | bigint)[],
    aggregate: string,
    value: JsonValue,
    operator = 'equals',
  ): string => {
    const datasetProfile = rows.map((rowCount) => ({ timestampMillis: NOW_MS, rowCount }));
    const rules = { property: 'datasetProfile.rowCount', aggregate, within: '7d', operator, value };
    const definition = { on: { types: ['dataset'] }, rules };
    return evaluateOn(registry, { [ORDERS]: { datasetProfile } }, { urn: ORDERS, definition }).kind;
  };

  test.each<readonly [string, readonly (number | bigint)[], bigint]>([
    ['sum', [BIG, 1], BIG + 1n],
    ['sum', [2n ** 63n - 1n, 2n ** 63n - 1n], 2n ** 64n - 2n],
    ['average', [BIG + 1n, BIG + 3n, BIG + 5n], BIG + 3n],
    ['minimum', [BIG + 2n, BIG + 1n, BIG + 3n], BIG + 1n],
    ['maximum', [1, BIG + 1n, BIG - 1n], BIG + 1n],
  ])('%s of %p is %p exactly', (aggregate, rows, expected) => {
    for (const near of [expected - 1n, expected, expected + 1n])
      expect(evaluateRows(rows, aggregate, near)).toBe(near === expected ? 'passing' : 'failing');
    expect(evaluateRows(rows, aggregate, expected - 1n, 'greater_than')).toBe('passing');
    expect(evaluateRows(rows, aggregate, expected, 'greater_than')).toBe('failing');
  });

  test('a sum that is small again is the plain number', () => {
    expect(evaluateRows([BIG + 1n, -BIG], 'sum', 1)).toBe('passing');
  });
});

describe('quantifiers', () => {
  const PII_COLUMNS = {
    where: { property: 'globalTags.tags.tag', operator: 'equals', value: PII },
    rules: { property: 'glossaryTerms.terms.urn', operator: 'exists' },
  };
  const COLUMNS = 'editableSchemaMetadata.editableSchemaFieldInfo';

  test.each<readonly [JsonValue, boolean]>([
    [{ every: COLUMNS, ...PII_COLUMNS }, false],
    [{ some: COLUMNS, ...PII_COLUMNS }, true],
    [{ none: COLUMNS, ...PII_COLUMNS }, false],
    [{ none: COLUMNS, rules: { property: 'fieldPath', operator: 'equals', value: 'phone' } }, true],
    [{ every: 'globalTags.tags', rules: { property: 'tag', operator: 'equals', value: PII } }, true],
    [{ some: 'globalTags.tags', rules: [] }, false],
    [
      { every: 'relationships.OwnedBy', rules: { property: 'corpUserStatus.status', operator: 'exists' } },
      true,
    ],
    [
      {
        every: 'relationships.OwnedBy',
        rules: { property: 'corpUserStatus.status', operator: 'equals', value: 'ACTIVE' },
      },
      false,
    ],
    [
      { every: 'datasetProperties.tags', rules: { property: '.', operator: 'matches', value: '[a-z]{4,}' } },
      true,
    ],
  ])('%j: %j', (rules, holds) => {
    expect(evaluate(rules)).toBe(holds ? 'passing' : 'failing');
  });
});
