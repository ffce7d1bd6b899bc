import { describe, expect, test } from '@jest/globals';
import type { JsonObject, JsonValue } from '@stratalog/json';
import type { TestOutcome } from '../evaluation/evaluate-test';
import { NOW_MS } from '../testing/evaluate-on';
import {
  ACTOR,
  tableTarget,
  toActingTest,
  toStates,
  valuesIn,
  type ActionLists,
  type Values,
} from '../testing/acting';
import { loadShippedModel } from '../testing/shipped-model';
import { decideActions } from './decide-actions';

const registry = await loadShippedModel();
const target = tableTarget(registry);
const TEST = 'urn:li:test:a/b~c';
const OTHER = 'urn:li:test:other';
const STAMP = { time: 0, actor: 'urn:li:corpuser:x' };

/** The aspects after the actions of an outcome, and how many patches they took. */
function decide(actions: ActionLists, outcome: TestOutcome['kind'], before: Values, runId?: string) {
  const test = toActingTest(registry, TEST, { on: { types: ['dataset'] }, rules: [], actions });
  const { patches, aspects } = decideActions(target, test, { outcome, aspects: toStates(before, runId) });
  return { values: valuesIn(aspects), patches };
}

const attribution = { time: NOW_MS, actor: ACTOR, source: TEST };
const user = (name: string): string => `urn:li:corpuser:${name}`;
const tag = (name: string): string => `urn:li:tag:${name}`;

describe('actions', () => {
  test.each<readonly [JsonValue, Values, Values]>([
    [
      { type: 'ADD_TAGS', values: [tag('a')] },
      {},
      { globalTags: { tags: [{ tag: tag('a'), attribution }] } },
    ],
    [
      { type: 'REMOVE_TAGS', values: [tag('a')] },
      { globalTags: { tags: [{ tag: tag('a') }, { tag: tag('b') }, { tag: tag('a'), attribution }] } },
      { globalTags: { tags: [{ tag: tag('b') }] } },
    ],
    [
      { type: 'ADD_GLOSSARY_TERMS', values: ['urn:li:glossaryTerm:a'] },
      {},
      {
        glossaryTerms: {
          terms: [{ urn: 'urn:li:glossaryTerm:a', attribution }],
          auditStamp: { time: NOW_MS, actor: ACTOR },
        },
      },
    ],
    [
      { type: 'ADD_OWNERS', values: [user('a')] },
      { ownership: { owners: [{ owner: user('a'), type: 'DATAOWNER' }], lastModified: STAMP } },
      {
        ownership: {
          owners: [
            { owner: user('a'), type: 'DATAOWNER' },
            { owner: user('a'), type: 'TECHNICAL_OWNER', attribution },
          ],
          lastModified: STAMP,
        },
      },
    ],
    [
      { type: 'ADD_OWNERS', values: [user('a')], ownershipType: 'urn:li:ownershipType:lead' },
      { ownership: { owners: [], lastModified: STAMP } },
      {
        ownership: {
          owners: [{ owner: user('a'), type: 'CUSTOM', typeUrn: 'urn:li:ownershipType:lead', attribution }],
          lastModified: STAMP,
        },
      },
    ],
    [
      { type: 'REMOVE_OWNERS', values: [user('a')] },
      {
        ownership: {
          owners: [
            { owner: user('a'), type: 'DATAOWNER' },
            { owner: user('b'), type: 'DATAOWNER' },
            { owner: user('a'), type: 'CUSTOM', typeUrn: 'urn:li:ownershipType:lead' },
          ],
          lastModified: STAMP,
        },
      },
      { ownership: { owners: [{ owner: user('b'), type: 'DATAOWNER' }], lastModified: STAMP } },
    ],
    [
      { type: 'ADD_DOMAINS', values: ['urn:li:domain:a'] },
      { domains: { domains: ['urn:li:domain:b'] } },
      {
        domains: {
          domains: ['urn:li:domain:b', 'urn:li:domain:a'],
          domainAssociations: [{ domain: 'urn:li:domain:a', attribution }],
        },
      },
    ],
    [
      { type: 'SET_DOMAIN', values: ['urn:li:domain:a'] },
      { domains: { domains: ['urn:li:domain:b', 'urn:li:domain:a'] } },
      {
        domains: {
          domains: ['urn:li:domain:a'],
          domainAssociations: [{ domain: 'urn:li:domain:a', attribution }],
        },
      },
    ],
    [
      { type: 'UNSET_DOMAIN' },
      { domains: { domains: ['urn:li:domain:b'] } },
      { domains: { domains: [], domainAssociations: [] } },
    ],
    [
      { type: 'DEPRECATE', note: 'Unused' },
      { deprecation: { deprecated: false, note: 'Was used', actor: user('a'), decommissionTime: 4 } },
      { deprecation: { deprecated: true, note: 'Unused', actor: ACTOR } },
    ],
    [
      { type: 'UN_DEPRECATE' },
      { deprecation: { deprecated: true, note: 'Unused', actor: user('a') } },
      { deprecation: { deprecated: false, note: 'Unused', actor: ACTOR } },
    ],
    [
      { type: 'SET_STRUCTURED_PROPERTY', property: 'urn:li:structuredProperty:p', values: ['no', 3] },
      {
        structuredProperties: {
          properties: [{ propertyUrn: 'urn:li:structuredProperty:p', values: [{ string: 'yes' }] }],
        },
      },
      {
        structuredProperties: {
          properties: [
            {
              propertyUrn: 'urn:li:structuredProperty:p',
              values: [{ string: 'no' }, { double: 3 }],
              attribution,
            },
          ],
        },
      },
    ],
  ])('%j write one patch, and nothing when it is done', (action, before, after) => {
    const first = decide({ failing: [action] }, 'failing', before);
    expect(first.values).toEqual(after);
    expect(first.patches).toHaveLength(1);
    expect(decide({ failing: [action] }, 'failing', after).patches).toEqual([]);
    expect(decide({ passing: [action] }, 'failing', before).patches).toEqual([]);
  });

  test.each<readonly [JsonValue, Values]>([
    [{ type: 'ADD_TAGS', values: [tag('a')] }, { globalTags: { tags: [{ tag: tag('a') }] } }],
    [
      { type: 'ADD_OWNERS', values: [user('a')], ownershipType: 'DATAOWNER' },
      { ownership: { owners: [{ owner: user('a'), type: 'DATAOWNER' }], lastModified: STAMP } },
    ],
    [{ type: 'ADD_DOMAINS', values: ['urn:li:domain:a'] }, { domains: { domains: ['urn:li:domain:a'] } }],
    [
      { type: 'DEPRECATE', note: 'By a test' },
      { deprecation: { deprecated: true, note: 'By a person', actor: user('a') } },
    ],
    [
      { type: 'ADD_STRUCTURED_PROPERTY', property: 'urn:li:structuredProperty:p', values: ['yes'] },
      {
        structuredProperties: {
          properties: [{ propertyUrn: 'urn:li:structuredProperty:p', values: [{ string: 'no' }] }],
        },
      },
    ],
  ])('%j write no patch when somebody else did, and take nothing of it back', (action, before) => {
    const actions = { failing: [{ ...(action as JsonObject), takeBack: true }] };
    expect(decide(actions, 'failing', before)).toEqual({ values: before, patches: [] });
    expect(decide(actions, 'passing', before)).toEqual({ values: before, patches: [] });
  });

  test('take a deprecation back only while it is the last write of the test', () => {
    const actions = { failing: [{ type: 'DEPRECATE', note: 'Unused', takeBack: true }] };
    const before = { deprecation: { deprecated: true, note: 'Unused', actor: ACTOR } };
    const after = { deprecation: { deprecated: false, note: 'Unused', actor: ACTOR } };
    expect(decide(actions, 'passing', before, TEST).values).toEqual(after);
    expect(decide(actions, 'passing', before, OTHER).values).toEqual(before);
  });

  test('keep what the actions of the new outcome add too', () => {
    const add = { type: 'ADD_TAGS', values: [tag('a')], takeBack: true };
    const before = { globalTags: { tags: [{ tag: tag('a'), attribution }] } };
    expect(decide({ passing: [add], failing: [add] }, 'passing', before).patches).toEqual([]);
  });

  test('actions that the model does not allow are said, and change nothing', () => {
    const before = { globalTags: { tags: [{ context: 'of an earlier model' }] } };
    const { values: after, patches } = decide(
      { failing: [{ type: 'ADD_TAGS', values: [tag('a')] }] },
      'failing',
      before,
    );
    expect(after).toEqual(before);
    expect(patches).toEqual([
      expect.objectContaining({
        place: '/actions/failing/0',
        rejection: expect.stringContaining('/tags/0/tag') as unknown,
      }),
    ]);
  });
});
