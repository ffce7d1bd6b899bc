import { expect, test } from '@jest/globals';
import { allSteps } from '@stratalog/json';
import { modelOf } from '../testing/model-of';
import { listExpectedUrns } from './list-expected-urns';

test('the urns that must name an entity are listed with their paths', async () => {
  const registry = await modelOf([
    {
      'entity-registry.yml': 'entities: [{name: thing, keyAspect: thingKey, aspects: [parts]}]',
      'Urn.pdl': '@Urn typeref Urn = string',
      'ThingKey.pdl': '@Aspect = {"name": "thingKey"} record ThingKey { id: string }',
      'Parts.pdl': `@Aspect = {"name": "parts"} record Parts {
        @UrnValidation = {"exist": true} kind: optional Urn
        @UrnValidation = {"exist": true, "entityTypes": ["thing"]} uses: array[Urn] = []
        @UrnValidation = {"exist": false} maker: optional Urn
        @UrnValidation = {"strict": true} owner: optional Urn
        inner: array[record Inner { @UrnValidation = {"exist": true} of: Urn }] = [] }`,
    },
  ]);
  const aspect = registry.aspect('parts');
  if (aspect === undefined) throw new Error('no aspect');
  const urn = (id: string): string => `urn:li:thing:${id}`;
  const value = {
    kind: urn('a'),
    uses: [urn('b'), urn('c')],
    maker: urn('d'),
    owner: urn('e'),
    inner: [{ of: urn('f') }],
  };

  expect(allSteps(listExpectedUrns(aspect, JSON.stringify(value)))).toEqual([
    { path: '/kind', urn: urn('a') },
    { path: '/uses/0', urn: urn('b') },
    { path: '/uses/1', urn: urn('c') },
    { path: '/inner/0/of', urn: urn('f') },
  ]);
  expect(allSteps(listExpectedUrns(aspect, '{}'))).toEqual([]);
});
