import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@stratalog/json';
import { tableTarget, toActingTest, toStates, valuesIn } from '../testing/acting';
import { evaluateOn } from '../testing/evaluate-on';
import { loadShippedModel } from '../testing/shipped-model';
import type { AspectStates } from './decide-actions';
import { settleActions, type Outcomes, type SettledActions } from './settle-actions';

const registry = await loadShippedModel();
const target = tableTarget(registry);
const { urn: URN } = target;

const toUrn = (name: string): string => `urn:li:test:${name}`;
const tagged = (name: string): JsonObject => ({
  property: 'globalTags.tags.tag',
  operator: 'equals',
  value: `urn:li:tag:${name}`,
});
const addTag = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'ADD_TAGS',
  values: [`urn:li:tag:${name}`],
  ...more,
});
const removeTag = (name: string): JsonObject => ({ type: 'REMOVE_TAGS', values: [`urn:li:tag:${name}`] });

interface Sample {
  readonly rules: JsonValue;
  readonly conditions?: JsonValue;
  readonly passing?: JsonValue;
  readonly failing?: JsonValue;
}

/** Settles tests for a table with these tags, whose outcomes are all new or only those of `changed`. */
async function settle(
  samples: Readonly<Record<string, Sample>>,
  { tags = [], changed }: { readonly tags?: readonly string[]; readonly changed?: readonly string[] } = {},
): Promise<{ readonly writers: readonly string[]; readonly stopped: SettledActions['stopped'] }> {
  const definitions = Object.entries(samples).map(
    ([name, { rules, conditions = [], passing = [], failing = [] }]): readonly [string, JsonValue] => [
      toUrn(name),
      { on: { types: ['dataset'], conditions }, rules, actions: { passing, failing } },
    ],
  );
  const evaluate = (aspects: AspectStates): Promise<Outcomes> => {
    const store = { [URN]: valuesIn(aspects) };
    return Promise.resolve(
      new Map(
        definitions.map(([urn, definition]) => [
          urn,
          evaluateOn(registry, store, { urn: URN, definition }).kind,
        ]),
      ),
    );
  };
  const tests = definitions.map(([urn, definition]) => toActingTest(registry, urn, definition));
  const aspects = toStates({ globalTags: { tags: tags.map((name) => ({ tag: `urn:li:tag:${name}` })) } });
  const { patches, stopped } = await settleActions({
    target,
    tests,
    aspects,
    outcomes: await evaluate(aspects),
    changed: new Set((changed ?? Object.keys(samples)).map(toUrn)),
    evaluate,
  });
  return { writers: patches.map((patch) => patch.test), stopped };
}

describe('a test', () => {
  test.each<readonly [string, Sample]>([
    ['whose action makes it pass', { rules: tagged('x'), failing: [addTag('x')] }],
    ['whose actions it does not read', { rules: tagged('x'), failing: [addTag('y', { takeBack: true })] }],
    [
      'that marks its outcome',
      { rules: tagged('x'), passing: [addTag('y'), removeTag('z')], failing: [addTag('z'), removeTag('y')] },
    ],
  ])('%s acts', async (_, sample) => {
    expect(await settle({ a: sample })).toEqual({
      writers: expect.arrayContaining([toUrn('a')]) as unknown,
      stopped: new Map(),
    });
  });

  test.each<readonly [string, Sample, readonly string[]]>([
    ['takes back what makes it pass', { rules: tagged('x'), failing: [addTag('x', { takeBack: true })] }, []],
    [
      'undoes what makes it pass',
      { rules: tagged('x'), passing: [removeTag('x')], failing: [addTag('x')] },
      [],
    ],
    [
      'undoes what makes it fail',
      { rules: { not: tagged('x') }, passing: [addTag('x')], failing: [removeTag('x')] },
      ['x'],
    ],
    [
      'removes itself from those that it is about, and takes that back',
      { rules: tagged('y'), conditions: { not: tagged('x') }, failing: [addTag('x', { takeBack: true })] },
      [],
    ],
  ])('a test that %s does not act, and says so', async (_, sample, tags) => {
    expect(await settle({ a: sample }, { tags })).toEqual({
      writers: [],
      stopped: new Map([[toUrn('a'), [toUrn('a')]]]),
    });
  });
});

describe('two tests', () => {
  const wants: Sample = { rules: tagged('x'), failing: [addTag('x')] };
  const rejects: Sample = { rules: { not: tagged('x') }, failing: [removeTag('x')] };
  const loop = [toUrn('rejects'), toUrn('wants')];

  const both = new Map(loop.map((urn) => [urn, loop]));

  test.each([{ tags: [] }, { tags: ['x'] }])(
    'two tests that fight one another do not act, and name one another: %j',
    async (options) => {
      expect(await settle({ wants, rejects }, options)).toEqual({ writers: [], stopped: both });
    },
  );

  test('two tests of which only one is evaluated are known to fight', async () => {
    expect(await settle({ wants, rejects }, { changed: ['wants'] })).toEqual({
      writers: [],
      stopped: new Map([[toUrn('wants'), loop]]),
    });
  });

  test('two tests of which one follows from the other act', async () => {
    const follows: Sample = { rules: { not: tagged('x') }, failing: [addTag('y')] };
    expect(await settle({ wants, follows })).toEqual({ writers: [toUrn('wants')], stopped: new Map() });
  });

  test('two tests that fight stop no third one', async () => {
    const other: Sample = { rules: tagged('z'), failing: [addTag('y')] };
    expect(await settle({ wants, rejects, other })).toEqual({
      writers: [toUrn('other')],
      stopped: both,
    });
  });
});
