import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredAspect, StoredEntity, SystemMetadata } from '@stratalog/domain';
import { allSteps, stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { affectsEdges, projectEdges } from './project-edges';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const CREATED = { time: 5_000, actor: 'urn:li:corpuser:writer' };

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../models')] });
});

function aspect(name: string, value: JsonOutputObject, systemMetadata: SystemMetadata = {}): StoredAspect {
  return {
    name,
    version: 1,
    value: stringifyJson(value),
    created: CREATED,
    aspectCreated: CREATED,
    systemMetadata,
    observed: { lastObserved: 9 },
  };
}
const tags = (...names: readonly string[]) => ({
  tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })),
});

const project = (entity: StoredEntity) => allSteps(projectEdges(registry)(entity));

describe('projectEdges', () => {
  it('has a set for each aspect that can draw, and the number of the entity', () => {
    const entity = {
      urn: URN,
      seq: 7,
      deleted: false,
      aspects: [aspect('globalTags', tags('a', 'b')), aspect('datasetProperties', {})],
    };
    const entry = project(entity);
    expect(entry).toMatchObject({ urn: URN, seq: 7, sets: [{ aspectName: 'globalTags' }] });
    expect(entry?.sets[0]?.edges.map(({ relationship, destination }) => [relationship, destination])).toEqual(
      [
        ['TaggedWith', 'urn:li:tag:a'],
        ['TaggedWith', 'urn:li:tag:b'],
      ],
    );
  });

  it('gives edges without a time of their own that of the observation, else that of the version', () => {
    const edge = (systemMetadata: SystemMetadata) =>
      project({
        urn: URN,
        seq: 1,
        deleted: false,
        aspects: [aspect('globalTags', tags('a'), systemMetadata)],
      })?.sets[0]?.edges[0];
    expect(edge({ lastObserved: 3_000 })?.created).toEqual({ time: 3_000, actor: CREATED.actor });
    expect(edge({})?.created).toEqual(CREATED);
    expect(edge({ lastObserved: 0 })?.created).toEqual(CREATED);
  });

  it('draws nothing for an entity that has no aspects any more, and knows nothing of a former type', () => {
    expect(project({ urn: URN, seq: 9, deleted: true, aspects: [] })).toEqual({
      urn: URN,
      seq: 9,
      sets: [],
    });
    expect(project({ urn: 'urn:li:formerType:a', seq: 9, deleted: false, aspects: [] })).toBeUndefined();
  });
});

describe('affectsEdges', () => {
  it.each([
    ['globalTags', true],
    ['upstreamLineage', true],
    ['datasetKey', true],
    ['tagKey', true],
    ['aspectOfALaterModel', true],
    ['datasetProperties', false],
    ['status', false],
  ])('says of %s: %s', (aspectName, expected) => {
    expect(affectsEdges(registry)({ aspectName })).toBe(expected);
  });
});
