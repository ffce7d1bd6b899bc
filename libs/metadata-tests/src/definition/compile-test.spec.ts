import { describe, expect, test } from '@jest/globals';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import { compileDefinition } from './compile-test';
import { findTestFaults } from './find-test-faults';
import { registry, listFaults, listFaultsInText } from '../testing/list-faults';

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
    expect(listFaultsInText(text)).toEqual([]);
    expect(compileDefinition(registry, text).kind).toBe('test');
  });

  test.each(['', '  ', '{}', '{ }'])('the definition %j is a draft', (text) => {
    expect(compileDefinition(registry, text)).toEqual({ kind: 'draft' });
  });

  test('a testInfo without a definition text has no fault', () => {
    const info = { name: 'n', category: 'c', definition: { type: 'JSON' } };
    expect(findTestFaults(registry, info)).toEqual([]);
  });

  test('the faults of a wrong definition in a testInfo have their paths in the aspect', () => {
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
    expect(listFaultsInText(text)).toEqual([line]);
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
