import { expect, test } from '@jest/globals';
import { listReads } from '../definition/list-reads';
import type { Predicate } from '../definition/metadata-test';
import { loadShippedModel } from '../testing/shipped-model';
import { evaluateTest } from './evaluate-test';
import { Facts } from './facts';

const registry = await loadShippedModel();

test.each([true, false])('each comparison that is %s is made at most twice below deep negations', (held) => {
  let comparisons = 0;
  const leaf: Predicate = {
    kind: 'comparison',
    rule: '/leaf',
    path: { text: 'urn', segments: [], isTimeseries: false },
    aggregate: 'latest',
    operator: 'exists',
    operands: [],
    compare: () => {
      comparisons++;
      return held;
    },
  };
  let rules: Predicate = leaf;
  for (let level = 0; level < 15; level++) {
    rules = { kind: 'not', rule: '/not', predicate: { kind: 'and', rule: '/and', predicates: [rules] } };
  }
  const conditions: Predicate = { kind: 'and', rule: '/on', predicates: [] };
  const { kind } = evaluateTest(
    {
      types: new Set(['tag']),
      conditions,
      rules,
      actions: { passing: [], failing: [] },
      reads: listReads([conditions, rules]),
    },
    { urn: 'urn:li:tag:a', facts: new Facts(registry), nowMs: 0, explains: true },
  );
  expect(kind).toBe(held ? 'failing' : 'passing');
  expect(comparisons).toBe(held ? 2 : 1);
});
