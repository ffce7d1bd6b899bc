import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compileDefinition } from '@stratalog/metadata-tests';
import type { ChangeKey } from '@stratalog/domain';
import { stringifyJson, type JsonOutput } from '@stratalog/json';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { decideEvaluations } from './decide-evaluations';
import type { StoredTest } from '../test-library';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
const USER = 'urn:li:corpuser:a';

let registry: EntityRegistry;
let tests: readonly StoredTest[];

beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../../models')] });
  const toTest = (name: string, types: readonly string[], rules: JsonOutput): StoredTest => ({
    urn: `urn:li:test:${name}`,
    keyVersion: 1,
    name,
    md5: '',
    definition: compileDefinition(registry, stringifyJson({ on: { types: [...types] }, rules })),
  });
  tests = [
    toTest('owned', ['dataset', 'chart'], { property: 'ownership.owners', operator: 'exists' }),
    toTest('active', ['dataset'], {
      property: 'ownership.owners.owner.corpUserStatus.status',
      operator: 'equals',
      value: 'ACTIVE',
    }),
    toTest('charts', ['chart'], []),
    { urn: 'urn:li:test:draft', keyVersion: 1, name: 'draft', md5: '', definition: { kind: 'draft' } },
  ];
});

function decide(...changed: readonly (readonly [string, string])[]) {
  const changes = changed.map(([urn, aspectName], index): ChangeKey => ({
    partition: 0,
    seq: index + 1,
    urn,
    aspectName,
    version: 1,
  }));
  const { entities, ...needed } = decideEvaluations(registry, tests, changes);
  return { ...needed, entities: entities.map(({ urn, tests: own }) => [urn, own.map(({ name }) => name)]) };
}

const NOTHING = { definitions: [], referenced: [], entities: [] };

describe('a change', () => {
  it.each([
    ['of an aspect that no test reads', [DATASET, 'datasetProperties']],
    ['of results', [DATASET, 'testResults']],
    ['of another type', ['urn:li:dashboard:(looker,a)', 'ownership']],
    ['of a type that the model does not know', ['urn:li:thing:a', 'ownership']],
  ] as const)('%s needs no evaluation', (_, change) => {
    expect(decide(change)).toEqual(NOTHING);
  });

  it('a change of an aspect of an entity needs the tests of its type that read it, once for each entity', () => {
    const entities = [[DATASET, ['owned', 'active']]];
    expect(decide([DATASET, 'ownership'], [DATASET, 'datasetProperties'], [DATASET, 'ownership'])).toEqual({
      ...NOTHING,
      entities,
    });
  });

  it('a change that creates an entity needs every test of its type', () => {
    const chart = 'urn:li:chart:(looker,a)';
    expect(decide([chart, 'chartKey'])).toEqual({ ...NOTHING, entities: [[chart, ['owned', 'charts']]] });
  });

  it('a change of an aspect behind references names the changed entity', () => {
    const referenced = [{ urn: USER, aspectNames: ['corpUserStatus'] }];
    expect(decide([USER, 'corpUserStatus'], [USER, 'corpUserInfo'])).toEqual({ ...NOTHING, referenced });
  });

  it('a change of a definition names the test', () => {
    const urn = 'urn:li:test:new';
    expect(decide([urn, 'testKey'], [urn, 'testInfo'])).toEqual({ ...NOTHING, definitions: [urn] });
  });
});
