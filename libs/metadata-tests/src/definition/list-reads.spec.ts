import { expect, test } from '@jest/globals';
import { stringifyJson, type JsonOutput } from '@stratalog/json';
import { loadShippedModel } from '../testing/shipped-model';
import { compileDefinition } from './compile-test';
import type { TestReads } from './list-reads';

const registry = await loadShippedModel();

function compileReads(rules: JsonOutput, conditions: JsonOutput = []): TestReads {
  const compiled = compileDefinition(
    registry,
    stringifyJson({ on: { types: ['dataset'], conditions }, rules }),
  );
  if (compiled.kind !== 'test') throw new Error(`the definition is ${compiled.kind}`);
  return compiled.test.reads;
}

test('the aspects of the entity are those of both rules and conditions', () => {
  const reads = compileReads(
    { not: { property: 'ownership.owners.owner', operator: 'exists' } },
    { property: 'datasetKey.origin', operator: 'equals', value: 'PROD' },
  );
  expect(reads).toEqual({ own: new Set(['datasetKey', 'ownership']), behind: [], dependsOnTime: false });
});

test('each aspect behind references has the path to it', () => {
  const { own, behind } = compileReads([
    {
      property: 'upstreamLineage.upstreams.dataset.ownership.owners.owner.corpUserStatus.status',
      operator: 'exists',
    },
    { every: 'ownership.owners.owner', rules: { property: 'corpUserInfo.active', operator: 'is_true' } },
    { every: 'ownership.owners', rules: { property: 'owner.corpUserInfo.active', operator: 'is_true' } },
  ]);
  expect(own).toEqual(new Set(['upstreamLineage', 'ownership']));
  expect(behind).toEqual([
    { aspectName: 'ownership', via: [['upstreamLineage']] },
    { aspectName: 'corpUserStatus', via: [['upstreamLineage'], ['ownership']] },
    { aspectName: 'corpUserInfo', via: [['ownership']] },
  ]);
});

test('every aspect that declares a relationship may lead on', () => {
  const { own, behind } = compileReads({
    property: 'relationships.DownstreamOf.deprecation.deprecated',
    operator: 'is_false',
  });
  expect(own.has('upstreamLineage')).toBe(true);
  expect(behind).toEqual([{ aspectName: 'deprecation', via: [[...own]] }]);
});

test.each([
  [{ property: 'datasetProfile.timestampMillis', operator: 'younger_than', value: '7d' }, true],
  [{ not: { property: 'deprecation.decommissionTime', operator: 'older_than', value: '1d' } }, true],
  [
    { property: 'datasetProfile.rowCount', aggregate: 'sum', within: '7d', operator: 'equals', value: 0 },
    true,
  ],
  [{ property: 'datasetProfile.rowCount', operator: 'equals', value: 0 }, false],
])('given %j, then whether it depends on the time is %s', (rules, dependsOnTime) => {
  expect(compileReads(rules).dependsOnTime).toBe(dependsOnTime);
});
