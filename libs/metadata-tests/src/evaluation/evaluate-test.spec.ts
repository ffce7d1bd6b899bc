import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@stratalog/json';
import { evaluateOn, type SmallStore } from '../testing/evaluate-on';
import { registry, ORDERS, RAW, OLD, JDOE, ASMITH, store, evaluate } from '../testing/orders-store';

describe('what is needed of the store', () => {
  const upstreams = (count: number): JsonValue => ({
    upstreams: Array.from({ length: count }, (_, index) => ({
      dataset: `urn:li:dataset:(urn:li:dataPlatform:postgres,t${String(index)},PROD)`,
      type: 'COPY',
    })),
  });
  const evaluate = (of: SmallStore, rules: JsonValue): ReturnType<typeof evaluateOn> =>
    evaluateOn(registry, of, { urn: ORDERS, definition: { on: { types: ['dataset'] }, rules } });

  test('the entities of a relationship are counted once', () => {
    const twice = { owners: [JDOE, JDOE, ASMITH].map((owner) => ({ owner, type: 'DATAOWNER' })) };
    const count = (property: string): string =>
      evaluate({ [ORDERS]: { ownership: twice } }, { property, operator: 'count', value: 2 }).kind;
    expect(['relationships.OwnedBy', 'ownership.owners.owner'].map(count)).toEqual(['passing', 'failing']);
  });

  test('the latest value and a range of them are two facts', () => {
    const rows = { property: 'datasetProfile.rowCount' };
    const { reads } = evaluate(store, [
      { ...rows, operator: 'equals', value: 40 },
      { ...rows, aggregate: 'sum', within: '7d', operator: 'equals', value: 70 },
    ]);
    expect(reads).toHaveLength(2);
  });

  test('aspects are counted over all rounds of reading', () => {
    const of: SmallStore = { [ORDERS]: { upstreamLineage: upstreams(1_500) } };
    const outcome = evaluate(of, {
      or: ['ownership.owners', 'deprecation.note'].map((path) => ({
        property: `upstreamLineage.upstreams.dataset.${path}`,
        operator: 'exists',
      })),
    });
    expect(outcome).toMatchObject({
      kind: 'error',
      reason: 'needs more than 2000 aspects of other entities',
      rounds: 2,
    });
  });

  test('nothing is read of elements that do not count', () => {
    const every = 'upstreamLineage.upstreams.dataset';
    const { kind, reads } = evaluate(store, {
      every,
      where: { not: { property: 'deprecation.deprecated', operator: 'is_true' } },
      rules: { property: 'ownership.owners', operator: 'count', value: 0 },
    });
    expect(kind).toBe('passing');
    expect(reads).toContain(`${RAW} ownership`);
    expect(reads).not.toContain(`${OLD} ownership`);
  });

  test('an error of one path is told when all facts are known', () => {
    const tags = Array.from({ length: 10_001 }, () => 'a');
    const of: SmallStore = { ...store, [ORDERS]: { ...store[ORDERS], datasetProperties: { tags } } };
    const outcome = evaluate(of, [
      { property: 'ownership.owners.owner.corpUserStatus.status', operator: 'exists' },
      { property: 'datasetProperties.tags', operator: 'exists' },
    ]);
    expect(outcome).toMatchObject({ reason: 'a path leads to more than 10000 values', rounds: 3 });
  });
});

describe('which entities a test is about', () => {
  test('the test does not apply to another type, or where a condition is not met', () => {
    expect(evaluate([], { types: ['chart'] })).toBe('not-applicable');
    const conditions = { property: 'datasetKey.origin', operator: 'equals', value: 'DEV' };
    const rules = { property: 'ownership.owners', operator: 'exists' };
    const { kind, reads } = evaluateOn(registry, store, {
      urn: ORDERS,
      definition: { on: { types: ['dataset'], conditions }, rules },
    });
    expect({ kind, reads }).toEqual({ kind: 'not-applicable', reads: [`${ORDERS} datasetKey`] });
  });

  test('every entity of the types passes a test without rules', () => {
    expect(evaluate([])).toBe('passing');
  });
});

describe('what an evaluation reports', () => {
  test('each failing rule is reported with its place and what it found', () => {
    const { kind, ...rest } = evaluateOn(registry, store, {
      urn: ORDERS,
      definition: {
        on: { types: ['dataset'] },
        rules: [
          { property: 'datasetProperties.tags', operator: 'equals', values: ['silver'] },
          { property: 'ownership.owners', operator: 'count', value: 2 },
          {
            not: {
              property: 'upstreamLineage.upstreams.dataset.deprecation.deprecated',
              operator: 'is_true',
            },
          },
          {
            every: 'relationships.OwnedBy',
            rules: { property: 'corpUserStatus.status', operator: 'equals', value: 'ACTIVE' },
          },
        ],
      },
    });
    expect({ kind, failures: 'failures' in rest ? rest.failures : undefined }).toEqual({
      kind: 'failing',
      failures: [
        {
          rule: '/rules/0',
          property: 'datasetProperties.tags',
          operator: 'equals',
          expected: ['silver'],
          found: ['gold', 'daily'],
          isNegated: false,
        },
        {
          rule: '/rules/2/not',
          property: 'upstreamLineage.upstreams.dataset.deprecation.deprecated',
          operator: 'is_true',
          expected: [],
          found: ['true'],
          isNegated: true,
        },
        {
          rule: '/rules/3',
          property: 'relationships.OwnedBy',
          operator: 'every',
          expected: [],
          found: [ASMITH],
          isNegated: false,
        },
        {
          rule: '/rules/3/rules',
          property: 'corpUserStatus.status',
          operator: 'equals',
          expected: ['ACTIVE'],
          found: ['SUSPENDED'],
          isNegated: false,
        },
      ],
    });
  });

  test('a path through references reads one round for each, and every aspect once', () => {
    const property = 'ownership.owners.owner.corpUserStatus.status';
    const { rounds, reads } = evaluateOn(registry, store, {
      urn: ORDERS,
      definition: {
        on: { types: ['dataset'] },
        rules: [
          { property, operator: 'exists' },
          { property, operator: 'unique' },
        ],
      },
    });
    expect({ rounds, reads }).toEqual({
      rounds: 3,
      reads: [`${ORDERS} ownership`, `${JDOE} corpUserStatus`, `${ASMITH} corpUserStatus`],
    });
  });
});

describe('bounds', () => {
  const many = (length: number, text: string): SmallStore => ({
    [ORDERS]: { datasetProperties: { name: 'x', tags: Array.from({ length }, () => text) } },
  });
  const evaluateTags = (of: SmallStore, rule: JsonValue): JsonValue => {
    const definition = {
      on: { types: ['dataset'] },
      rules: { property: 'datasetProperties.tags', ...(rule as object) },
    };
    const outcome = evaluateOn(registry, of, { urn: ORDERS, definition });
    return outcome.kind === 'error' ? outcome.reason : outcome.kind;
  };

  test('more values than one path may lead to are an error', () => {
    expect(evaluateTags(many(10_001, 'a'), { operator: 'exists' })).toBe(
      'a path leads to more than 10000 values',
    );
    expect(evaluateTags(many(10_000, 'a'), { operator: 'exists' })).toBe('passing');
  });

  const rest = (outcome: object): JsonValue => ('reason' in outcome ? String(outcome.reason) : 'none');

  test('lists of entities that name one another are an error before every pair is compared', () => {
    const urns = Array.from(
      { length: 300 },
      (_, index) => `urn:li:dataset:(urn:li:dataPlatform:postgres,t${String(index)},PROD)`,
    );
    const upstreamLineage = { upstreams: urns.map((dataset) => ({ dataset, type: 'COPY' })) };
    const [urn = ''] = urns;
    let rules: JsonValue = { property: 'urn', operator: 'exists' };
    for (let level = 0; level < 3; level++) rules = { every: 'relationships.DownstreamOf', rules };
    const outcome = evaluateOn(
      registry,
      Object.fromEntries(urns.map((each) => [each, { upstreamLineage }])),
      {
        urn,
        definition: { on: { types: ['dataset'] }, rules },
      },
    );
    expect(rest(outcome)).toMatch(/takes more than 5000000 steps$/);
  });

  test('operands and texts that would take a search too long are an error', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => `b${String(index)}`);
    expect(evaluateTags(many(9_000, 'a'), { operator: 'contains', values })).toBe(
      '/rules: takes more than 5000000 steps',
    );
    expect(evaluateTags(many(1_000, 'a'), { operator: 'contains', values })).toBe('failing');
  });

  test('what a failing rule is said to have found and expected is cut', () => {
    const values = Array.from({ length: 20 }, () => 'c'.repeat(1_000));
    const outcome = evaluateOn(registry, many(20, 'a'.repeat(1_000)), {
      urn: ORDERS,
      definition: {
        on: { types: ['dataset'] },
        rules: { property: 'datasetProperties.tags', operator: 'equals', values },
      },
    });
    const [failure] = 'failures' in outcome ? (outcome.failures ?? []) : [];
    expect([failure?.expected, failure?.found]).toEqual(
      ['c', 'a'].map((letter) => Array.from({ length: 10 }, () => `${letter.repeat(200)}…`)),
    );
  });

  test('texts that would take a pattern too long are an error', () => {
    expect(evaluateTags(many(100, 'a'.repeat(10_000)), { operator: 'matches', value: '(a|aa)+b' })).toBe(
      '/rules: takes more than 5000000 steps',
    );
  });

  test('more references than one test may follow are an error', () => {
    const upstreams = Array.from({ length: 2_001 }, (_, index) => ({
      dataset: `urn:li:dataset:(urn:li:dataPlatform:postgres,t${String(index)},PROD)`,
      type: 'TRANSFORMED',
    }));
    const { kind, ...rest } = evaluateOn(
      registry,
      { [ORDERS]: { upstreamLineage: { upstreams } } },
      {
        urn: ORDERS,
        definition: {
          on: { types: ['dataset'] },
          rules: { property: 'relationships.DownstreamOf.deprecation.deprecated', operator: 'is_true' },
        },
      },
    );
    expect({ kind, reason: 'reason' in rest ? rest.reason : '' }).toEqual({
      kind: 'error',
      reason: 'needs more than 2000 aspects of other entities',
    });
  });
});
