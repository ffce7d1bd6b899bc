import { describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@stratalog/json';
import fc from 'fast-check';
import { NOW_MS, evaluateOn, type SmallStore } from '../testing/evaluate-on';
import { holdsNaively } from '../testing/naive-evaluation';
import { loadShippedModel } from '../testing/shipped-model';

const registry = await loadShippedModel();

const TABLES = ['a', 'b', 'c'].map((name) => `urn:li:dataset:(urn:li:dataPlatform:x,${name},PROD)`);
const USERS = ['urn:li:corpuser:u', 'urn:li:corpuser:v'];
const TAGS = ['urn:li:tag:p', 'urn:li:tag:q'];
const WORDS = ['', ' ', 'a', 'ab', 'abc', 'b'];

const word = fc.constantFrom(...WORDS);
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

/** An object without the members that are absent. */
function present(
  members: Readonly<Record<string, fc.Arbitrary<JsonValue | undefined>>>,
): fc.Arbitrary<JsonValue> {
  return fc
    .record(members)
    .map(
      (made) =>
        Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as JsonValue,
    );
}

const tags = fc
  .array(fc.constantFrom(...TAGS), { maxLength: 3 })
  .map((list): JsonValue => ({ tags: list.map((tag) => ({ tag })) }));

const dataset = present({
  datasetProperties: optional(
    present({
      name: optional(word),
      description: optional(word),
      tags: optional(fc.array(word, { maxLength: 3 })),
    }),
  ),
  ownership: optional(
    fc
      .array(present({ owner: fc.constantFrom(...USERS), type: fc.constantFrom('DATAOWNER', 'DEVELOPER') }), {
        maxLength: 3,
      })
      .map((owners): JsonValue => ({ owners })),
  ),
  globalTags: optional(tags),
  deprecation: optional(present({ deprecated: fc.boolean(), note: word })),
  upstreamLineage: optional(
    fc
      .array(fc.constantFrom(...TABLES), { maxLength: 3 })
      .map((list): JsonValue => ({ upstreams: list.map((table) => ({ dataset: table, type: 'COPY' })) })),
  ),
  editableSchemaMetadata: optional(
    fc
      .array(present({ fieldPath: word, globalTags: optional(tags) }), { maxLength: 3 })
      .map((list): JsonValue => ({ editableSchemaFieldInfo: list })),
  ),
  datasetProfile: optional(
    fc.array(
      present({
        timestampMillis: fc.integer({ min: 0, max: 20 }).map((days) => NOW_MS - days * 86_400_000 - 1),
        rowCount: optional(fc.integer({ min: 0, max: 4 })),
      }),
      { maxLength: 2 },
    ),
  ),
});

const user = present({ corpUserStatus: optional(word.map((status): JsonValue => ({ status }))) });

const store: fc.Arbitrary<SmallStore> = fc
  .tuple(fc.tuple(dataset, dataset, dataset), fc.tuple(user, user))
  .map(([tables, users]) => {
    const entities = [
      ...TABLES.map((urn, at) => [urn, tables[at]]),
      ...USERS.map((urn, at) => [urn, users[at]]),
    ];
    return Object.fromEntries(entities) as SmallStore;
  });

interface Places {
  readonly texts: readonly string[];
  readonly tags: readonly string[];
  readonly numbers: readonly string[];
  readonly flags: readonly string[];
  readonly lists: readonly string[];
}

const OF_DATASET: Places = {
  texts: [
    'datasetProperties.name',
    'datasetProperties.description',
    'datasetProperties.tags',
    'editableSchemaMetadata.editableSchemaFieldInfo.fieldPath',
    'ownership.owners.owner.corpUserStatus.status',
    'relationships.OwnedBy.corpUserStatus.status',
    'upstreamLineage.upstreams.dataset.ownership.owners.owner.corpUserStatus.status',
    'upstreamLineage.upstreams.dataset.datasetProperties.tags',
  ],
  tags: [
    'globalTags.tags.tag',
    'relationships.TaggedWith',
    'editableSchemaMetadata.editableSchemaFieldInfo.globalTags.tags.tag',
  ],
  numbers: ['datasetProfile.rowCount', 'upstreamLineage.upstreams.dataset.datasetProfile.rowCount'],
  flags: ['deprecation.deprecated', 'upstreamLineage.upstreams.dataset.deprecation.deprecated'],
  lists: ['ownership.owners', 'editableSchemaMetadata.editableSchemaFieldInfo', 'upstreamLineage'],
};

const OF_COLUMN: Places = {
  texts: ['fieldPath'],
  tags: ['globalTags.tags.tag'],
  numbers: [],
  flags: [],
  lists: ['globalTags.tags'],
};

function buildComparisons({
  texts,
  tags: tagPlaces,
  numbers,
  flags,
  lists,
}: Places): fc.Arbitrary<JsonValue> {
  const property = (names: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...names);
  const forms: fc.Arbitrary<JsonValue>[] = [
    present({
      property: property([...texts, ...tagPlaces, ...numbers, ...lists]),
      operator: fc.constant('exists'),
    }),
    present({
      property: property(texts),
      operator: fc.constantFrom('equals', 'contains_str', 'starts_with', 'ends_with'),
      values: fc.array(word, { minLength: 1, maxLength: 2 }),
    }),
    present({
      property: property(texts),
      operator: fc.constant('matches'),
      value: fc.constantFrom('a.*', '(ab|c)*', '[^a]', 'a?b+c?', ''),
    }),
    present({
      property: property(tagPlaces),
      operator: fc.constant('equals'),
      value: fc.constantFrom(...TAGS),
    }),
    present({
      property: property([...texts, ...tagPlaces, ...lists]),
      operator: fc.constant('count'),
      at_least: optional(fc.integer({ min: 0, max: 2 })),
      at_most: fc.integer({ min: 0, max: 3 }),
    }),
    present({ property: property([...texts, ...tagPlaces]), operator: fc.constant('unique') }),
  ];
  if (numbers.length > 0) {
    forms.push(
      present({
        property: property(numbers),
        operator: fc.constantFrom('greater_than', 'less_than', 'equals'),
        value: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('2', '3')),
      }),
      present({
        property: fc.constant('datasetProfile.timestampMillis'),
        operator: fc.constant('older_than'),
        value: fc.constantFrom('1d', '7d', '15d'),
      }),
    );
  }
  if (flags.length > 0) {
    forms.push(present({ property: property(flags), operator: fc.constantFrom('is_true', 'is_false') }));
  }
  return fc.oneof(...forms);
}

/** Predicates over comparisons of the same place. */
function buildPredicates(leaf: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }),
      present({ and: fc.array(tie('tree'), { maxLength: 3 }), negate: optional(fc.boolean()) }),
      present({ or: fc.array(tie('tree'), { maxLength: 3 }) }),
      present({ not: tie('tree') }),
    ),
  }));
  return tree;
}

const ofColumn = buildPredicates(buildComparisons(OF_COLUMN));
const quantifier = fc
  .record({
    kind: fc.constantFrom('every', 'some', 'none'),
    where: optional(ofColumn),
    rules: ofColumn,
  })
  .map(({ kind, where, rules }): JsonValue => ({
    [kind]: 'editableSchemaMetadata.editableSchemaFieldInfo',
    ...(where === undefined ? {} : { where }),
    rules,
  }));
const upstreams = fc
  .record({ kind: fc.constantFrom('every', 'some', 'none'), rules: buildComparisons(OF_DATASET) })
  .map(({ kind, rules }): JsonValue => ({ [kind]: 'upstreamLineage.upstreams.dataset', rules }));
const predicate = buildPredicates(
  fc.oneof({ weight: 4, arbitrary: buildComparisons(OF_DATASET) }, quantifier, upstreams),
);

describe('random rules over random entities', () => {
  test('the outcome is that of the naive evaluation', () => {
    const [urn = ''] = TABLES;
    fc.assert(
      fc.property(store, predicate, optional(predicate), (entities, rules, conditions) => {
        const on = { types: ['dataset'], ...(conditions === undefined ? {} : { conditions }) };
        const expected = !holdsNaively(entities, conditions ?? [], urn)
          ? 'not-applicable'
          : holdsNaively(entities, rules, urn)
            ? 'passing'
            : 'failing';
        const outcome = evaluateOn(registry, entities, { urn, definition: { on, rules } });
        expect(outcome.kind).toBe(expected);
        // A failing entity is told why, unless an empty "or" or "some" rejects everything.
        expect(outcome.rounds).toBeLessThanOrEqual(9);
        expect(new Set(outcome.reads).size).toBe(outcome.reads.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
