import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { checkAspect } from './check-aspect';
import { rejectReferences } from './reject-references';

const STAMP = { time: 1, actor: 'urn:li:corpuser:x' };
const TABLE = '(urn:li:dataPlatform:hive,orders,PROD)';
const ownedBy = (owner: string) => ({ owners: [{ owner, type: 'DATAOWNER' }], lastModified: STAMP });
const upstream = (dataset: string) => ({ upstreams: [{ dataset, type: 'VIEW', auditStamp: STAMP }] });

let registry: EntityRegistry;
beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
});

function rejectionOf(
  aspectName: string,
  value: JsonOutputObject,
  stored?: JsonOutputObject,
): string | undefined {
  const aspect = registry.aspect(aspectName);
  if (aspect === undefined) throw new Error(`there is no aspect ${aspectName}`);
  const check = checkAspect(registry, aspect, value as never);
  if ('faults' in check) return check.faults.map(({ path, reason }) => `${path} :: ${reason}`).join('\n');
  const reject = rejectReferences(registry, aspect, check.wrongReferences);
  return check.wrongReferences.length === 0
    ? undefined
    : reject(stored === undefined ? undefined : stringifyJson(stored));
}

describe('a reference', () => {
  it.each<[string, string, JsonOutputObject, string]>([
    [
      'in another spelling',
      'ownership',
      ownedBy('urn:li:corpUser:ann'),
      'ERROR :: /owners/0/owner :: must be a urn of type corpuser or corpGroup, not "urn:li:corpUser:ann"; the entity type is spelled corpuser, not corpUser',
    ],
    [
      'to a misspelt type',
      'ownership',
      ownedBy('urn:li:corpusr:ann'),
      'there is no entity type corpusr; did you mean corpuser?',
    ],
    ['to an unknown type', 'domains', { domains: ['urn:li:nothing:a'] }, 'there is no entity type nothing'],
    [
      'to another type',
      'ownership',
      ownedBy('urn:li:tag:ann'),
      'ERROR :: /owners/0/owner :: must be a urn of type corpuser or corpGroup, not "urn:li:tag:ann"',
    ],
    [
      'of a domain',
      'domains',
      { domains: ['urn:li:domain:a', 'urn:li:corpuser:ann'] },
      '/domains/1 :: must be a urn of type domain',
    ],
    [
      'of an upstream',
      'upstreamLineage',
      upstream(`urn:li:Dataset:${TABLE}`),
      '/upstreams/0/dataset :: must be a urn of type dataset, not "urn:li:Dataset:(urn:li:dataPlatform:hive,orders,PROD)"; the entity type is spelled dataset, not Dataset',
    ],
    [
      'of a column lineage',
      'upstreamLineage',
      {
        upstreams: [],
        fineGrainedLineages: [
          {
            upstreamType: 'FIELD_SET',
            downstreamType: 'FIELD',
            upstreams: [`urn:li:schemafield:(urn:li:dataset:${TABLE},a)`],
          },
        ],
      },
      '/fineGrainedLineages/0/upstreams/0 :: must be a urn of type dataset or schemaField',
    ],
    [
      'of a tag',
      'globalTags',
      { tags: [{ tag: 'urn:li:glossaryTerm:a' }] },
      '/tags/0/tag :: must be a urn of type tag',
    ],
    [
      'of a tag of a column',
      'editableSchemaMetadata',
      { editableSchemaFieldInfo: [{ fieldPath: 'id', globalTags: { tags: [{ tag: 'urn:li:Tag:a' }] } }] },
      '/editableSchemaFieldInfo/0/globalTags/tags/0/tag :: must be a urn of type tag, not "urn:li:Tag:a"; the entity type is spelled tag, not Tag',
    ],
  ])('%s is told with the right spelling', (_what, aspectName, value, expected) => {
    expect(rejectionOf(aspectName, value) ?? '').toContain(expected);
  });

  it.each<[string, JsonOutputObject]>([
    ['ownership', ownedBy('urn:li:corpGroup:bakers')],
    ['upstreamLineage', upstream(`urn:li:dataset:${TABLE}`)],
    [
      'incidentInfo',
      {
        type: 'CUSTOM',
        entities: [`urn:li:dataset:${TABLE}`],
        status: { state: 'ACTIVE', lastUpdated: STAMP },
        created: STAMP,
      },
    ],
    ['testResults', { failing: [], passing: [{ test: 'urn:li:test:a', type: 'SUCCESS' }] }],
  ])('a reference of %s to a type that the place is for is accepted', (aspectName, value) => {
    expect(rejectionOf(aspectName, value)).toBeUndefined();
  });

  it('a reference that is stored stays accepted, also in a value with another change', () => {
    const stored = ownedBy('urn:li:corpUser:ann');
    expect(rejectionOf('ownership', stored, stored)).toBeUndefined();
    const more = { ...stored, owners: [...stored.owners, ...ownedBy('urn:li:corpuser:bob').owners] };
    expect(rejectionOf('ownership', more, stored)).toBeUndefined();
    const worse = { ...stored, owners: [...stored.owners, ...ownedBy('urn:li:tag:bob').owners] };
    const rejection = rejectionOf('ownership', worse, stored) ?? '';
    expect(rejection).toContain('/owners/1/owner');
    expect(rejection).not.toContain('/owners/0/owner');
  });
});
