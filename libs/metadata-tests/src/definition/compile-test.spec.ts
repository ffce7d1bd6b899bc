import { describe, expect, test } from '@jest/globals';
import { stringifyJson, type JsonValue } from '@stratalog/model';
import { loadShippedModel } from '../testing/shipped-model';
import { compileDefinition } from './compile-test';
import { findTestFaults } from './find-test-faults';

const registry = await loadShippedModel();

/** The faults of a definition about datasets with these rules, as lines. */
function listFaults(rules: JsonValue, on: JsonValue = { types: ['dataset'] }): readonly string[] {
  return faultsOfText(stringifyJson({ on, rules }));
}

function faultsOfText(text: string): readonly string[] {
  const compiled = compileDefinition(registry, text);
  return compiled.kind === 'faulty' ? compiled.faults.map(({ path, reason }) => `${path} ${reason}`) : [];
}

describe('definitions that existing clients write', () => {
  test.each<readonly [string, JsonValue]>([
    [
      'conditions with the platform as a urn, and rules by "or"',
      {
        on: {
          types: ['dataset'],
          conditions: {
            and: [
              {
                property: 'dataPlatformInstance.platform',
                operator: 'equals',
                value: 'urn:li:dataPlatform:postgres',
              },
            ],
          },
        },
        rules: {
          or: [
            { property: 'datasetProperties.description', operator: 'exists' },
            { property: 'editableDatasetProperties.description', operator: 'exists' },
          ],
        },
      },
    ],
    [
      'legacy names, and operands in params',
      {
        on: { types: ['dataset', 'chart'], match: [] },
        rules: [
          {
            query: 'globalTags.tags.tag',
            operation: 'ANY_EQUALS',
            params: { values: ['urn:li:tag:pii'] },
            negate: true,
          },
          { property: 'datasetProperties.name', operator: 'regex_match', value: '^[a-z_]+$' },
        ],
      },
    ],
    [
      'no rules, and actions in both forms',
      {
        on: { types: ['DATASET'] },
        rules: [],
        actions: {
          passing: [{ type: 'add_tags', values: ['urn:li:tag:gold'] }],
          failing: [{ type: 'REMOVE_TAGS', params: { values: 'urn:li:tag:gold' } }],
        },
      },
    ],
    [
      'a path through the urn of a container',
      {
        on: { types: ['dataset'] },
        rules: { property: 'container.container.glossaryTerms.terms.urn', operator: 'exists' },
      },
    ],
  ])('given %s, then it compiles', (_, definition) => {
    const text = stringifyJson(definition);
    expect(faultsOfText(text)).toEqual([]);
    expect(compileDefinition(registry, text).kind).toBe('test');
  });

  test.each(['', '  ', '{}', '{ }'])('given the definition %j, then it is a draft', (text) => {
    expect(compileDefinition(registry, text)).toEqual({ kind: 'draft' });
  });

  test('given a testInfo without a definition text, then it has no fault', () => {
    const info = { name: 'n', category: 'c', definition: { type: 'JSON' } };
    expect(findTestFaults(registry, info)).toEqual([]);
  });

  test('given a testInfo with a wrong definition, then the faults have their places in the aspect', () => {
    const definition = { type: 'JSON', json: '{"on":{"types":["datset"]},"rules":[]}' };
    expect(findTestFaults(registry, { name: 'n', category: 'c', definition })).toEqual([
      {
        path: '/definition/json/on/types/0',
        reason: 'is no entity type: datset; did you mean dataset?',
      },
    ]);
  });
});

describe('paths', () => {
  test.each([
    'ownership.owners',
    'ownership.owners.owner.corpUserStatus.status',
    'domains.domains.domainProperties.name',
    'upstreamLineage.upstreams.dataset.upstreamLineage.upstreams.dataset.upstreamLineage.upstreams.dataset.datasetProperties.name',
    'relationships.DownstreamOf.deprecation.deprecated',
    'datasetKey.platform.dataPlatformInfo.name',
    'datasetProperties.customProperties.owner\\.team',
    'datasetProperties.customProperties.*',
    'schemaMetadata.platformSchema.KafkaSchema.documentSchema',
    'structuredProperties.properties.values.string',
    'datasetProfile.rowCount',
    'urn',
    'entityType',
    'ownership.owners.owner.urn',
  ])('%s is known', (property) => {
    expect(listFaults({ property, operator: 'exists' })).toEqual([]);
  });

  test.each([
    [
      'datasetPropertees.name',
      'unknown aspect datasetPropertees of dataset; did you mean datasetProperties?',
    ],
    [
      'datasetProperties.descripton',
      'unknown field descripton of com.linkedin.dataset.DatasetProperties; did you mean description?',
    ],
    [
      'datasetProperties.name.length',
      'goes on after datasetProperties.name, which is a text: datasetProperties.name.length',
    ],
    [
      'ownership.owners.owner.corpUserStatu.status',
      'unknown aspect corpUserStatu of corpuser, corpGroup; did you mean corpUserStatus?',
    ],
    [
      'relationships.DownstreamOff',
      'unknown relationship DownstreamOff of dataset; did you mean DownstreamOf?',
    ],
    ['relationships', 'names no relationship: relationships'],
    ['', 'has an empty name: '],
    ['ownership..owner', 'has an empty name: ownership..owner'],
    [
      'schemaMetadata.platformSchema.KafkaSchem',
      expect.stringContaining('unknown member KafkaSchem of a union of'),
    ],
    [
      `${'upstreamLineage.upstreams.dataset.'.repeat(4)}datasetProperties.name`,
      expect.stringContaining('follows more than 3 references'),
    ],
    ['a.'.repeat(40), expect.stringContaining('has 41 names; at most 32 are followed')],
    ['entityType.name', 'goes on after entityType, which is a text: entityType.name'],
  ])('%s is rejected', (property, reason) => {
    const compiled = compileDefinition(
      registry,
      stringifyJson({ on: { types: ['dataset'] }, rules: { property, operator: 'exists' } }),
    );
    expect(compiled).toEqual({ kind: 'faulty', faults: [{ path: '/rules/property', reason }] });
  });

  test('an aspect that only one of the types has is known', () => {
    const rules = { property: 'chartInfo.title', operator: 'exists' };
    expect(listFaults(rules, { types: ['dataset', 'chart'] })).toEqual([]);
  });
});

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

  test('given patterns of a million instructions, then the first one is rejected without compiling it', () => {
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

describe('forms', () => {
  const leaf = { property: 'urn', operator: 'exists' };

  test.each<readonly [JsonValue, string]>([
    ['x', '/rules is no object'],
    [{ and: 'x' }, '/rules/and is no list of predicates'],
    [{ and: [], or: [] }, '/rules has and and or; one of them is a predicate of its own'],
    [{}, '/rules needs one of and, or, not, every, some, none, property'],
    [{ ...leaf, negate: 'no' }, '/rules/negate is neither true nor false: no'],
    [{ every: 'ownership.owners' }, '/rules/rules is missing'],
    [
      { every: 'ownership.owners', rules: { property: 'ownr', operator: 'exists' } },
      '/rules/rules/property unknown field ownr of com.linkedin.common.Owner; did you mean owner?',
    ],
    [
      { query: 'urn', property: 'urn', operator: 'exists' },
      '/rules has property and query; one of them is a predicate of its own',
    ],
  ])('%j is rejected', (rules, line) => {
    expect(listFaults(rules)).toEqual([line]);
  });

  test.each([
    ['nonsense', expect.stringContaining('is not JSON')],
    ['[]', ' is no object'],
    ['{"rules":[]}', '/on is missing'],
    ['{"on":{"types":["dataset"]}}', '/rules is missing'],
    ['{"on":{"types":"dataset"},"rules":[]}', '/on/types is no list of entity types'],
    ['{"on":{"types":[]},"rules":[]}', '/on/types names no entity type'],
    ['{"on":{"types":["dataset"],"filter":[]},"rules":[]}', '/on/filter is unknown'],
    ['{"on":{"types":["dataset"]},"rules":[],"rule":[]}', '/rule is unknown; did you mean rules?'],
    [
      '{"on":{"types":["dataset"]},"rules":[],"actions":{"passing":[{"type":"ADD_TAG"}]}}',
      '/actions/passing/0/type is unknown; did you mean ADD_TAGS?',
    ],
    ['{"on":{"types":["dataset"]},"rules":[],"rules":[]}', expect.stringContaining("'rules' is there twice")],
    [`{"a":"${'x'.repeat(70_000)}"}`, ' is longer than 65536 bytes of UTF-8'],
  ])('the text %s is rejected', (text, line) => {
    expect(faultsOfText(text)).toEqual([line]);
  });

  test('predicates are bounded in depth and number', () => {
    let deep: JsonValue = leaf;
    for (let level = 0; level < 20; level++) deep = { not: deep };
    expect(listFaults(deep)).toEqual([`/rules${'/not'.repeat(16)} is nested deeper than 16 levels`]);
    expect(listFaults(Array.from({ length: 300 }, () => leaf))).toEqual([
      '/rules/198 is one of more than 200 predicates',
    ]);
  });

  test('faults are listed together, up to twenty', () => {
    const wrong = { property: 'nothing', operator: 'exists' };
    expect(listFaults([wrong, wrong])).toHaveLength(2);
    expect(listFaults(Array.from({ length: 50 }, () => wrong))).toHaveLength(20);
  });
});
