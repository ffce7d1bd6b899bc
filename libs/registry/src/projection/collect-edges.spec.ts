import { allSteps, parseInSteps, stringifyJson, type JsonObject } from '@stratalog/json';
import { describe, expect, test } from '@jest/globals';
import type { AspectType } from '../model/entity-registry';
import { modelOf, oneAspect, type ModelFiles } from '../testing/model-of';
import { collectEdges as projectEdges } from './collect-edges';

const shared: ModelFiles = {
  'Urn.pdl': '@Urn typeref Urn = string',
  'Stamp.pdl': 'record Stamp { time: long, actor: Urn }',
  'Edge.pdl': `record Edge {
    to: Urn
    created: optional Stamp
    lastModified: Stamp = {"time": 0, "actor": "urn:li:user:nobody"}
    properties: optional map[string, string]
  }`,
  'Uses.pdl':
    'record Uses { @Relationship = {"/*/tag": {"name": "Uses"}} uses: array[record Use { tag: Urn }] }',
};
const context = { urn: 'urn:li:thing:a', timeMs: 1_000, actor: 'urn:li:user:writer' };

async function thingInfo(fields: string): Promise<AspectType> {
  const aspect = (await modelOf([oneAspect(fields, shared)])).aspect('thingInfo');
  if (aspect === undefined) throw new Error('the aspect is there');
  return aspect;
}

const parsed = (value: JsonObject) => allSteps(parseInSteps(stringifyJson(value)));
const collectEdges = (aspect: AspectType, value: JsonObject) =>
  allSteps(projectEdges(aspect, parsed(value), context));
const drawn = (aspect: AspectType, value: JsonObject) =>
  collectEdges(aspect, value).map(({ relationship, destination }) => `${relationship} ${destination}`);

describe('collectEdges', () => {
  test('makes the edge of a urn by its annotation and the context', async () => {
    const aspect = await thingInfo(
      '@Relationship = {"name": "PartOf", "entityTypes": ["thing"], "isLineage": true, "isUpstream": false} parent: optional Urn',
    );

    expect(aspect.relationships[0]).toMatchObject({ path: '/parent', entityTypes: ['thing'] });
    expect(collectEdges(aspect, { parent: 'urn:li:thing:b' })).toEqual([
      {
        source: 'urn:li:thing:a',
        relationship: 'PartOf',
        destination: 'urn:li:thing:b',
        isLineage: true,
        isUpstream: false,
        created: { time: 1_000, actor: 'urn:li:user:writer' },
        updated: { time: 1_000, actor: 'urn:li:user:writer' },
      },
    ]);
    expect(collectEdges(aspect, {})).toEqual([]);
  });

  test('follows the paths of each element to its own values, and takes defaults', async () => {
    const options = {
      name: 'From',
      createdOn: 'edges/*/created/time',
      createdActor: 'edges/*/created/actor',
      updatedOn: 'edges/*/lastModified/time',
      updatedActor: 'edges/*/lastModified/actor',
      properties: 'edges/*/properties',
      via: 'query',
    };
    const aspect = await thingInfo(`
      query: optional Urn
      @Relationship = ${JSON.stringify({ '/*/to': options })} edges: array[Edge]
    `);
    const created = { time: 5, actor: 'urn:li:user:maker' };
    const edges = collectEdges(aspect, {
      query: 'urn:li:query:q',
      edges: [
        { to: 'urn:li:thing:b', created, properties: { source: 'UI' } },
        { to: 'urn:li:thing:c', lastModified: { time: 9, actor: 'urn:li:user:changer' } },
      ],
    });

    expect(edges).toMatchObject([
      {
        destination: 'urn:li:thing:b',
        created,
        updated: { time: 5, actor: 'urn:li:user:nobody' },
        properties: { source: 'UI' },
        via: 'urn:li:query:q',
      },
      {
        destination: 'urn:li:thing:c',
        created: { time: 1_000, actor: 'urn:li:user:writer' },
        updated: { time: 9, actor: 'urn:li:user:changer' },
      },
    ]);
    expect(edges[1]).not.toHaveProperty('properties');
  });

  test('lets an outer annotation replace the nested one at its path', async () => {
    const value = { all: { uses: [{ tag: 'urn:li:tag:x' }] } };

    expect(drawn(await thingInfo('all: Uses'), value)).toEqual(['Uses urn:li:tag:x']);
    expect(
      drawn(await thingInfo('@Relationship = {"/uses/*/tag": {"name": "FieldUses"}} all: Uses'), value),
    ).toEqual(['FieldUses urn:li:tag:x']);
    expect(drawn(await thingInfo('@Relationship = {"/uses/*/tag": null} all: Uses'), value)).toEqual([]);
  });

  test('makes an edge to each urn in lists, maps and unions', async () => {
    const aspect = await thingInfo(`
      @Relationship = {"/*": {"name": "A"}} list: array[Urn] = []
      @Relationship = {"/$key": {"name": "K"}, "/*/*": {"name": "V"}} map: map[string, array[Urn]] = {}
      @Relationship = {"/*/string": {"name": "U"}} unions: array[union[string, int]] = []
    `);

    expect(
      drawn(aspect, {
        list: ['urn:li:t:1', 'no urn', 'urn:li:t:1'],
        map: { 'urn:li:t:2': ['urn:li:t:3', 'urn:li:t:4'] },
        unions: [{ string: 'urn:li:t:5' }, { int: 1 }],
      }),
    ).toEqual(['A urn:li:t:1', 'K urn:li:t:2', 'V urn:li:t:3', 'V urn:li:t:4', 'U urn:li:t:5']);
  });

  test('reads the values next to the urn of each key of a map', async () => {
    const aspect = await thingInfo(
      '@Relationship = {"/*/to": {"name": "From", "createdOn": "edges/*/created/time"}} edges: map[string, Edge]',
    );
    const edges = collectEdges(aspect, {
      edges: { b: { to: 'urn:li:thing:b', created: { time: 5 } }, a: { to: 'urn:li:thing:a' } },
    });

    expect(edges.map(({ destination, created }) => [destination, created.time])).toEqual([
      ['urn:li:thing:b', 5],
      ['urn:li:thing:a', 1_000],
    ]);
  });

  test('finds the same edges of a large value in steps', async () => {
    const aspect = await thingInfo('all: Uses');
    const uses = Array.from({ length: 5_000 }, (_, at) => ({ tag: `urn:li:tag:${String(at)}` }));
    const value = { all: { uses } };
    const atOnce = allSteps(projectEdges(aspect, { value, large: new Set() }, context));
    const steps = projectEdges(aspect, parsed(value), context);
    let count = 0;
    let next = steps.next();
    for (; next.done !== true; next = steps.next()) count++;

    expect(count).toBeGreaterThanOrEqual(uses.length / 64 - 1);
    expect(next.value).toEqual(atOnce);
    expect(atOnce).toHaveLength(uses.length);
  });

  test.each([
    ['@Relationship = {} to: Urn', 'expected a name'],
    ['@Relationship = {"name": "A"} to: int', 'must stand at a urn'],
    ['@Relationship = {"name": "A", "entityTypes": "thing"} to: Urn', 'expected entityTypes to be a list'],
    ['@Relationship = {"/*/tp": {"name": "A"}} edges: array[Edge]', 'the path /tp leads nowhere'],
    ['@Relationship = {"name": "A", "createdOn": 1} to: Urn', 'expected createdOn to be a path'],
  ])('given %s, then it is rejected with its place', async (fields, reason) => {
    await expect(thingInfo(fields)).rejects.toThrow(
      new RegExp(`ThingInfo\\.pdl:2:\\d+: .*${reason.replace(/[/*]/g, '\\$&')}`),
    );
  });
});
