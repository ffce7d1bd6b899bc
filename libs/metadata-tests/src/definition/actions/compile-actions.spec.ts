import { describe, expect, test } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { compileDefinition } from '../compile-test';
import { loadShippedModel } from '../../testing/shipped-model';

const registry = await loadShippedModel();
const TAG = 'urn:li:tag:gold';
const SALES = 'urn:li:domain:sales';
const RETENTION = 'urn:li:structuredProperty:retention';

function compile(actions: JsonValue, types: JsonValue = ['dataset']) {
  return compileDefinition(registry, stringifyJson({ on: { types }, rules: [], actions }));
}

/** The faults of actions on failure, as lines. */
function listFaults(failing: JsonValue, types?: JsonValue): readonly string[] {
  const compiled = compile({ failing }, types);
  return compiled.kind === 'faulty' ? compiled.faults.map(({ path, reason }) => `${path} ${reason}`) : [];
}

describe('actions', () => {
  test.each<JsonValue>([
    { type: 'ADD_TAGS', values: [TAG] },
    { type: 'add_tags', params: { values: TAG }, description: 'Gold' },
    { type: 'REMOVE_TAGS', value: TAG },
    { type: 'ADD_GLOSSARY_TERMS', values: ['urn:li:glossaryTerm:pii'], takeBack: true },
    { type: 'ADD_OWNERS', values: ['urn:li:corpuser:a', 'urn:li:corpGroup:b'] },
    { type: 'ADD_OWNERS', values: ['urn:li:corpuser:a'], ownershipType: 'DATA_STEWARD' },
    { type: 'ADD_OWNERS', params: { values: ['urn:li:corpuser:a'], ownerType: ['BUSINESS_OWNER'] } },
    { type: 'REMOVE_OWNERS', values: ['urn:li:corpuser:a'], ownershipType: 'urn:li:ownershipType:lead' },
    { type: 'SET_DOMAIN', values: [SALES] },
    { type: 'UNSET_DOMAIN' },
    { type: 'ADD_DOMAINS', values: [SALES], takeBack: true },
    { type: 'DEPRECATE', note: 'No owner', takeBack: true },
    { type: 'DEPRECATE', params: { replacement: 'urn:li:chart:(looker,a)', decommissionTime: 5 } },
    { type: 'UN_DEPRECATE' },
    { type: 'ADD_STRUCTURED_PROPERTY', property: RETENTION, values: [30, 'days'] },
    { type: 'SET_STRUCTURED_PROPERTY', property: RETENTION, value: 'no' },
    { type: 'REMOVE_STRUCTURED_PROPERTY', property: RETENTION },
    { type: 'ASSIGN_FORM', values: ['urn:li:form:a'], anything: { at: 'all' } },
  ])('%j is one', (action) => {
    expect(listFaults([action])).toEqual([]);
    expect(compile({ passing: [action] }).kind).toBe('test');
  });

  test('know their places', () => {
    const compiled = compile({
      passing: [{ type: 'REMOVE_TAGS', values: [TAG] }],
      failing: [
        { type: 'ASSIGN_FORM', values: ['urn:li:form:a'] },
        { type: 'ADD_TAGS', values: [TAG], takeBack: true },
      ],
    });
    expect(compiled).toMatchObject({
      kind: 'test',
      test: {
        actions: {
          passing: [{ place: '/actions/passing/0', isTakenBack: false }],
          failing: [{ place: '/actions/failing/1', isTakenBack: true }],
        },
      },
    });
  });

  test.each<readonly [JsonObject | string, string]>([
    [{ values: [TAG] }, '/type is missing'],
    [{ type: 'ADD_TAG', values: [TAG] }, '/type is unknown; did you mean ADD_TAGS?'],
    [{ type: 'ADD_TAGS' }, '/values is missing'],
    [{ type: 'ADD_TAGS', values: [] }, '/values is an empty list'],
    [
      { type: 'ADD_TAGS', value: [TAG], values: [TAG] },
      '/value means the same as values; one of them is enough',
    ],
    [
      { type: 'ADD_TAGS', values: [TAG], params: { values: [TAG] } },
      '/params/values is in params too; one of them is enough',
    ],
    [{ type: 'ADD_TAGS', values: [TAG], takeback: true }, '/takeback is unknown; did you mean takeBack?'],
    [{ type: 'ADD_TAGS', values: [TAG], takeBack: 'yes' }, '/takeBack is neither true nor false: yes'],
    [{ type: 'ADD_TAGS', values: [7] }, '/values/0 is no urn: 7'],
    [
      { type: 'ADD_TAGS', values: ['urn:li:tagg:gold'] },
      '/values/0 is no urn of the model: urn:li:tagg:gold: unknown entity type tagg; did you mean tag?',
    ],
    [
      { type: 'ADD_TAGS', values: [TAG, 'urn:li:glossaryTerm:pii'] },
      '/values/1 is a urn of glossaryTerm, and the action takes urns of tag',
    ],
    [
      { type: 'ADD_OWNERS', values: [TAG] },
      '/values/0 is a urn of tag, and the action takes urns of corpuser and corpGroup',
    ],
    [
      { type: 'ADD_OWNERS', values: ['urn:li:corpuser:a'], ownershipType: 'DATA_STEWART' },
      '/ownershipType is no symbol of com.linkedin.common.OwnershipType: DATA_STEWART; did you mean DATA_STEWARD?',
    ],
    [{ type: 'SET_DOMAIN', values: [SALES, SALES] }, '/values/1 is one too many; the action takes one'],
    [{ type: 'UNSET_DOMAIN', values: [SALES] }, '/values is unknown'],
    [
      { type: 'REMOVE_TAGS', values: [TAG], takeBack: true },
      '/takeBack is for actions that add; nothing says what this one removed or replaced',
    ],
    [{ type: 'DEPRECATE', note: 7 }, '/note is no text: 7'],
    [
      { type: 'DEPRECATE', decommissionTime: 'soon' },
      '/decommissionTime is no time in epoch milliseconds: soon',
    ],
    [{ type: 'ADD_STRUCTURED_PROPERTY', values: ['a'] }, '/property is missing'],
    [
      { type: 'SET_STRUCTURED_PROPERTY', property: RETENTION, values: [true] },
      '/values/0 is neither a text nor a number: true',
    ],
    [
      { type: 'ADD_TAGS', values: Array.from({ length: 101 }, () => TAG) },
      '/values has more than 100 values',
    ],
    ['ADD_TAGS', ' is no object'],
  ])('%j is rejected', (action, line) => {
    const [first, ...others] = listFaults([action]);
    expect([first?.replace('/actions/failing/0', ''), others]).toEqual([line, []]);
  });

  test.each<readonly [string, JsonValue, string]>([
    [
      'twice in one list',
      [
        { type: 'ADD_TAGS', values: [TAG] },
        { type: 'REMOVE_TAGS', values: [TAG] },
      ],
      '/actions/failing/1 writes what /actions/failing/0 writes too: globalTags urn:li:tag:gold',
    ],
    [
      'in one role and in all',
      [
        { type: 'REMOVE_OWNERS', values: ['urn:li:corpuser:a'] },
        { type: 'ADD_OWNERS', values: ['urn:li:corpuser:a'], ownershipType: 'NONE' },
      ],
      '/actions/failing/1 writes what /actions/failing/0 writes too: ownership urn:li:corpuser:a NONE',
    ],
    [
      'together with one of all domains',
      [{ type: 'ADD_DOMAINS', values: [SALES] }, { type: 'UNSET_DOMAIN' }],
      '/actions/failing/1 writes what /actions/failing/0 writes too: domains',
    ],
  ])('actions on an element %s are rejected', (_, actions, line) => {
    expect(listFaults(actions)).toEqual([line]);
  });

  test('actions on an aspect that no type of the test has are rejected', () => {
    expect(listFaults([{ type: 'ADD_TAGS', values: [TAG] }], ['dataPlatform'])).toEqual([
      '/actions/failing/0/type writes globalTags, which no type of the test has: dataPlatform',
    ]);
    expect(listFaults([{ type: 'ADD_TAGS', values: [TAG] }], ['dataPlatform', 'chart'])).toEqual([]);
  });
});
