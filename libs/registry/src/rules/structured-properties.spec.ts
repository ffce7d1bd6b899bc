import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Proposal } from '@stratalog/domain';
import type { JsonOutput } from '@stratalog/json';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { checkProposal } from '../proposals/check-proposal';
import type { StoredRule } from './stored-rule';

const PROPERTY = 'urn:li:structuredProperty:a/b';
const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
});

function makeRule(value: JsonOutput, changeType: Proposal['changeType'] = 'UPSERT'): StoredRule {
  const checked = checkProposal(registry, {
    ...{
      entityType: 'dataset',
      urn: DATASET,
      aspectName: 'structuredProperties',
      changeType,
      actor: 'urn:li:corpuser:a',
    },
    value: JSON.stringify(value),
  });
  if ('rejection' in checked || checked.rule === undefined) throw new Error(JSON.stringify(checked));
  return checked.rule;
}

const assigned = (text: string, more: object = {}) => ({
  properties: [{ propertyUrn: PROPERTY, values: [{ string: text }], ...more }],
});
const definition = (more: object = {}) =>
  JSON.stringify({
    ...{
      qualifiedName: 'a/b',
      valueType: 'urn:li:dataType:datahub.string',
      entityTypes: ['urn:li:entityType:dataset'],
    },
    ...more,
  });

describe('a rule for structured properties', () => {
  test('reads the definition and the status of each property that a value or a patch names', () => {
    const read = ['propertyDefinition', 'status'].map((aspectName) => ({ urn: PROPERTY, aspectName }));
    expect(makeRule(assigned('x')).neighbours()).toEqual(read);
    const patch = [{ op: 'remove', path: '/properties/urn:li:structuredProperty:a~1b' }];
    expect(makeRule(patch, 'PATCH').neighbours()).toEqual(read);
  });

  test.each<[string, object, string | undefined, string | undefined]>([
    ['an immutable value', { immutable: true }, 'y', 'is immutable'],
    ['an immutable value for the first time', { immutable: true }, undefined, undefined],
    ['an immutable value again', { immutable: true }, 'x', undefined],
    ['an unknown type', { valueType: 'urn:li:dataType:acme.color' }, undefined, undefined],
    ['a stored value that is no longer allowed', { allowedValues: [] }, 'x', undefined],
    ['a value that is not allowed', { allowedValues: [] }, 'y', 'is not one of'],
  ])('given %s, then it is accepted or rejected', (_, more, stored, reason) => {
    const rejection = makeRule(assigned('x')).reject({
      value: JSON.stringify(assigned('x')),
      current: stored === undefined ? undefined : JSON.stringify(assigned(stored)),
      valueOf: ({ aspectName }) => (aspectName === 'status' ? undefined : definition(more)),
    });
    expect(rejection).toEqual(reason === undefined ? undefined : expect.stringContaining(reason));
  });

  test('rejects a soft-deleted property, a doubled one, and one that a patch changes without its name', () => {
    const reject = (
      value: object,
      removed: boolean,
      rule = makeRule(value as JsonOutput),
    ): string | undefined =>
      rule.reject({
        value: JSON.stringify(value),
        current: undefined,
        valueOf: ({ aspectName }) => (aspectName === 'status' ? JSON.stringify({ removed }) : definition()),
      });
    expect(reject(assigned('x'), true)).toContain('is soft-deleted');
    const [one] = assigned('x').properties;
    expect(reject({ properties: [one, one] }, false)).toContain('/properties/1/propertyUrn');
    const other = {
      ...one,
      attribution: { time: 0, actor: 'urn:li:corpuser:a', source: 'urn:li:dataHubAction:a' },
    };
    expect(reject({ properties: [one, other] }, false)).toBeUndefined();
    const patched = makeRule(
      [{ op: 'add', path: '/properties/0/values/0', value: { string: 'x' } }],
      'PATCH',
    ).reject({
      ...{ value: JSON.stringify(assigned('x')), current: undefined, valueOf: () => undefined },
    });
    expect(patched).toContain('changes by a patch that does not name it');
  });
});
