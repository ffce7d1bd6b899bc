import { describe, expect, test } from '@jest/globals';
import { isJsonObject, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import fc from 'fast-check';
import { compileDefinition } from '../definition/compile-test';
import {
  ACTOR,
  applyWritten,
  tableTarget,
  toActingTest,
  toStates,
  valuesIn,
  type ActionLists,
  type Values,
} from '../testing/acting';
import { loadShippedModel } from '../testing/shipped-model';
import { decideActions, type ActingTest } from './decide-actions';

const registry = await loadShippedModel();
const target = tableTarget(registry);
const TEST = 'urn:li:test:a/b~c';
const OTHER = 'urn:li:test:other';
const OUTCOMES = ['passing', 'failing', 'not-applicable', 'error'] as const;
const STAMP = { time: 0, actor: 'urn:li:corpuser:x' };

const toTest = (actions: ActionLists): ActingTest =>
  toActingTest(registry, TEST, { on: { types: ['dataset'] }, rules: [], actions });
const user = (name: string): string => `urn:li:corpuser:${name}`;
const tag = (name: string): string => `urn:li:tag:${name}`;

const USERS = ['a', 'b'].map(user);
const TAGS = ['a', 'b', 'c/~d'].map(tag);
const DOMAINS = ['a', 'b'].map((name) => `urn:li:domain:${name}`);
const PROPERTIES = ['p', 'q'].map((name) => `urn:li:structuredProperty:${name}`);
const SOURCES = [undefined, TEST, OTHER];

const attributed = (source: string | undefined): JsonObject =>
  source === undefined ? {} : { attribution: { time: 1, actor: ACTOR, source } };
const uniqueBy = <Value>(value: fc.Arbitrary<Value>, key: (value: Value) => string): fc.Arbitrary<Value[]> =>
  fc.uniqueArray(value, { selector: key, maxLength: 4 });
const source = fc.constantFrom(...SOURCES);

const values: fc.Arbitrary<Values> = fc
  .record(
    {
      globalTags: uniqueBy(fc.tuple(fc.constantFrom(...TAGS), source), String).map((tags) => ({
        tags: tags.map(([urn, from]) => ({ tag: urn, ...attributed(from) })),
      })),
      ownership: uniqueBy(
        fc.tuple(fc.constantFrom(...USERS), fc.constantFrom('DATAOWNER', 'TECHNICAL_OWNER'), source),
        ([owner, type]) => `${owner} ${type}`,
      ).map((owners) => ({
        owners: owners.map(([owner, type, from]) => ({ owner, type, ...attributed(from) })),
        lastModified: STAMP,
      })),
      domains: uniqueBy(fc.tuple(fc.constantFrom(...DOMAINS), source), ([urn]) => urn).map((domains) => ({
        domains: domains.map(([urn]) => urn),
        domainAssociations: domains.flatMap(([urn, from]) =>
          from === undefined ? [] : [{ domain: urn, ...attributed(from) }],
        ),
      })),
      deprecation: fc
        .tuple(fc.boolean(), fc.constantFrom(ACTOR, user('a')))
        .map(([deprecated, actor]) => ({ deprecated, note: '', actor })),
      structuredProperties: uniqueBy(
        fc.tuple(fc.constantFrom(...PROPERTIES), source, fc.constantFrom('yes', 'no')),
        ([urn, from]) => `${urn} ${String(from)}`,
      ).map((properties) => ({
        properties: properties.map(([propertyUrn, from, value]) => ({
          propertyUrn,
          values: [{ string: value }],
          ...attributed(from),
        })),
      })),
    },
    { requiredKeys: [] },
  )
  .map((made): Values => made);

const some = (urns: readonly string[]): fc.Arbitrary<JsonValue> =>
  fc.uniqueArray(fc.constantFrom(...urns), { minLength: 1, maxLength: 2 });
const adding = fc.boolean().map((takeBack) => ({ takeBack }));
const action = fc.oneof(
  fc.tuple(some(TAGS), adding).map(([urns, more]) => ({ type: 'ADD_TAGS', values: urns, ...more })),
  some(TAGS).map((urns) => ({ type: 'REMOVE_TAGS', values: urns })),
  fc.tuple(some(USERS), adding).map(([urns, more]) => ({ type: 'ADD_OWNERS', values: urns, ...more })),
  some(USERS).map((urns) => ({ type: 'REMOVE_OWNERS', values: urns })),
  fc.tuple(some(DOMAINS), adding).map(([urns, more]) => ({ type: 'ADD_DOMAINS', values: urns, ...more })),
  some(DOMAINS).map((urns) => ({ type: 'REMOVE_DOMAINS', values: urns })),
  fc.constantFrom(...DOMAINS).map((urn) => ({ type: 'SET_DOMAIN', values: [urn] })),
  fc.constant({ type: 'UNSET_DOMAIN' }),
  adding.map((more) => ({ type: 'DEPRECATE', note: 'x', ...more })),
  fc.constant({ type: 'UN_DEPRECATE' }),
  fc
    .tuple(fc.constantFrom(...PROPERTIES), fc.constantFrom('yes', 'no'), adding)
    .map(([property, value, more]) => ({ type: 'ADD_STRUCTURED_PROPERTY', property, value, ...more })),
  fc
    .tuple(fc.constantFrom(...PROPERTIES), fc.constantFrom('yes', 'no'))
    .map(([property, value]) => ({ type: 'SET_STRUCTURED_PROPERTY', property, value })),
  fc.constantFrom(...PROPERTIES).map((property) => ({ type: 'REMOVE_STRUCTURED_PROPERTY', property })),
);

/** ActionLists of actions that the checks accept: no two write one element. */
const lists: fc.Arbitrary<ActionLists> = fc
  .record({ passing: fc.array(action, { maxLength: 4 }), failing: fc.array(action, { maxLength: 4 }) })
  .filter(
    (actions) =>
      compileDefinition(registry, stringifyJson({ on: { types: ['dataset'] }, rules: [], actions })).kind ===
      'test',
  );

const outcome = fc.constantFrom(...OUTCOMES);
const runId = fc.constantFrom(undefined, TEST, OTHER);

describe('generated actions', () => {
  test('need no patch twice', () => {
    fc.assert(
      fc.property(lists, outcome, values, runId, (actions, kind, before, run) => {
        const acting = toTest(actions);
        const first = decideActions(target, acting, { outcome: kind, aspects: toStates(before, run) });
        expect(first.patches.filter(({ rejection }) => rejection !== undefined)).toEqual([]);
        const again = decideActions(target, acting, { outcome: kind, aspects: first.aspects });
        expect(again.patches).toEqual([]);
      }),
    );
  });

  test('are written by one patch an aspect as they were decided', () => {
    fc.assert(
      fc.property(lists, outcome, values, runId, (actions, kind, before, run) => {
        const { patches, aspects } = decideActions(target, toTest(actions), {
          outcome: kind,
          aspects: toStates(before, run),
        });
        expect(sortLists(applyWritten(target, before, patches))).toEqual(sortLists(valuesIn(aspects)));
      }),
    );
  });

  test('take back what the test added, and nothing else', () => {
    fc.assert(
      fc.property(lists, values, runId, (actions, before, run) => {
        const acting = toTest(actions);
        const left = decideActions(target, acting, {
          outcome: 'not-applicable',
          aspects: toStates(before, run),
        });
        const [kept, gone] = [listMarks(before), listMarks(valuesIn(left.aspects))];
        for (const mark of kept) if (!mark.endsWith(` ${TEST}`)) expect(gone).toContain(mark);
        for (const mark of gone) expect(kept).toContain(mark);
      }),
    );
  });

  test('generated actions that are all taken back leave the aspects as they were', () => {
    fc.assert(
      fc.property(lists, values, (actions, before) => {
        const adding = toTest({ failing: (actions.failing as JsonObject[]).flatMap(asTakenBack) });
        const clean = toStates(withoutMarks(before));
        const acted = decideActions(target, adding, { outcome: 'failing', aspects: clean });
        const back = decideActions(target, adding, { outcome: 'passing', aspects: acted.aspects });
        expect(listMarks(valuesIn(back.aspects))).toEqual(listMarks(valuesIn(clean)));
      }),
    );
  });
});

/** Sorts the lists of the aspects, whose order means nothing. */
function sortLists(values: Values): JsonObject {
  const sorted = Object.entries(values).map(([name, value]): [string, JsonValue] => [
    name,
    Object.fromEntries(
      Object.entries(value).map(([member, inner]) => [
        member,
        Array.isArray(inner) ? inner.map((each) => stringifyJson(each)).sort() : inner,
      ]),
    ),
  ]);
  return Object.fromEntries(sorted);
}

function asTakenBack(each: JsonObject): JsonObject[] {
  return toText(each.type).startsWith('ADD_') || each.type === 'DEPRECATE'
    ? [{ ...each, takeBack: true }]
    : [];
}

/** Values without what this test seems to have written before. */
function withoutMarks(before: Values): Values {
  const text = stringifyJson(before).replaceAll(TEST, OTHER);
  return JSON.parse(text) as Values;
}

/** The elements of the aspects with their origins, sorted. */
function listMarks(of: Values): readonly string[] {
  const { domains } = of;
  const named = Array.isArray(domains?.domains) ? domains.domains : [];
  const findSource = (domain: JsonValue): JsonValue | undefined =>
    listRecords(domains?.domainAssociations).find((each) => each.domain === domain);
  return [
    ...listRecords(of.globalTags?.tags).map((each) => `${toText(each.tag)} ${readSource(each)}`),
    ...listRecords(of.ownership?.owners).map(
      (each) => `${toText(each.owner)} ${toText(each.type)} ${readSource(each)}`,
    ),
    ...named.map((domain) => `${toText(domain)} ${readSource(findSource(domain))}`),
    ...listRecords(of.structuredProperties?.properties).map(
      (each) => `${toText(each.propertyUrn)} ${stringifyJson(each.values ?? null)} ${readSource(each)}`,
    ),
    ...(of.deprecation?.deprecated === true && of.deprecation.actor !== ACTOR ? ['deprecated'] : []),
  ].sort();
}

function listRecords(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function readSource(element: JsonValue | undefined): string {
  const origin = isJsonObject(element) ? element.attribution : undefined;
  return isJsonObject(origin) ? toText(origin.source) : 'nobody';
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
