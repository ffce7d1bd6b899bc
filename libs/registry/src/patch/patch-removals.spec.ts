import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutput, type JsonOutputObject } from '@stratalog/json';
import { STAMP, URN, add, owner, patchByModel, remove, tags, type Patched } from '../testing/patching';

let patched: Patched;
beforeAll(async () => {
  patched = await patchByModel();
});

describe('a patch that removes what is absent', () => {
  const REMOVALS: readonly (readonly [aspect: string, path: string])[] = [
    ['globalTags', '/tags/urn:li:tag:b'],
    ['glossaryTerms', '/terms/urn:li:glossaryTerm:b'],
    ['ownership', '/owners/urn:li:corpuser:b/DATAOWNER'],
    ['ownership', '/owners/urn:li:corpuser:a/DATAOWNER/urn:li:ownershipType:b'],
    ['upstreamLineage', `/upstreams/${URN}`],
    ['upstreamLineage', '/fineGrainedLineages/NONE/a/NONE/b'],
    ['editableSchemaMetadata', '/editableSchemaFieldInfo/id/globalTags/tags/urn:li:tag:b'],
    ['editableSchemaMetadata', '/editableSchemaFieldInfo/other'],
    ['dataJobInputOutput', '/inputDatasetEdges/a'],
    ['dashboardInfo', '/charts/a'],
    ['structuredProperties', '/properties/urn:li:structuredProperty:b'],
    ['formInfo', '/actors/users/urn:li:corpuser:b'],
    ['siblings', '/siblings/urn:li:dataset:b'],
    ['domains', '/domains/urn:li:domain:b'],
    ['datasetProperties', '/description'],
    ['datasetProperties', '/customProperties/b'],
    ['datasetProperties', '/name/part/of/it'],
    ['versionProperties', '/comment'],
    ['status', '/reason'],
  ];

  it.each(REMOVALS)(
    'a patch that removes what is absent of %s at %s changes nothing when nothing is stored',
    (aspect, path) => {
      expect(patched(aspect, undefined, [remove(path), remove(path)])).toBeUndefined();
    },
  );

  it.each(REMOVALS)(
    'a patch that removes what is absent of %s at %s keeps a stored value, text for text',
    (aspect, path) => {
      // The order of its members shows that the value was not made again.
      const current = {
        owners: [owner('a')],
        name: 'x',
        fineGrainedLineages: [{ upstreamType: 'NONE', downstreamType: 'FIELD_SET', downstreams: ['a', 'b'] }],
      };
      expect(stringifyJson(patched(aspect, current, [remove(path)]) ?? null)).toBe(stringifyJson(current));
    },
  );

  it('goes on to the other operations', () => {
    expect(patched('datasetProperties', { name: 'x' }, [remove('/description'), add('/name', 'y')])).toEqual({
      name: 'y',
    });
  });

  it('a patch that removes what is absent by keys of its own changes nothing, in an aspect with a template or without', () => {
    const own = (field: string, ...keys: string[]) => ({ arrayPrimaryKeys: { [field]: keys } });
    const source = 'attribution\u241fsource';
    for (const [aspect, field, patch] of [
      ['globalTags', 'tags', own('tags', source, 'tag')],
      ['documentation', 'documentations', own('documentations', source)],
      ['institutionalMemory', 'elements', own('elements', 'url')],
    ] as const) {
      const removal = { ...patch, patch: [remove(`/${field}/urn:li:tag:b`)] };
      expect([aspect, patched(aspect, undefined, removal)]).toEqual([aspect, undefined]);
      expect([aspect, patched(aspect, { [field]: [] }, removal)]).toEqual([aspect, { [field]: [] }]);
    }
  });
});

describe('a patch that removes a whole array', () => {
  it.each<[string, string, JsonOutputObject]>([
    ['globalTags', '/tags', tags('a')],
    ['ownership', '/owners', { owners: [owner('a')] }],
    ['glossaryTerms', '/terms', { terms: [{ urn: 'urn:li:glossaryTerm:a' }], auditStamp: STAMP }],
    ['upstreamLineage', '/upstreams', { upstreams: [{ dataset: URN, type: 'VIEW', auditStamp: STAMP }] }],
  ])(
    'a patch that removes a whole array of %s that is required leaves it empty, also for an addition behind it',
    (aspect, path, current) => {
      const field = path.slice(1);
      expect(patched(aspect, current, [remove(path)])).toEqual({ ...current, [field]: [] });
      const [element] = current[field] as readonly JsonOutput[];
      const again = [remove(path), remove(path), add(`${path}/-`, element ?? null)];
      expect(patched(aspect, current, again)).toEqual(current);
    },
  );

  it('empties a required one by the keys of the patch, and one inside an element', () => {
    const documentations = [{ documentation: 'x' }];
    const arrayPrimaryKeys = { documentations: ['attribution\u241fsource'] };
    const removal = { patch: [remove('/documentations')], arrayPrimaryKeys };
    expect(patched('documentation', { documentations }, removal)).toEqual({ documentations: [] });
    const info = { editableSchemaFieldInfo: [{ fieldPath: 'id', globalTags: tags('a') }] };
    const nested = [remove('/editableSchemaFieldInfo/id/globalTags/tags')];
    expect(patched('editableSchemaMetadata', info, nested)).toEqual({
      editableSchemaFieldInfo: [{ fieldPath: 'id', globalTags: { tags: [] } }],
    });
  });

  it('removes one that is optional', () => {
    const current = { upstreams: [], fineGrainedLineages: [] };
    expect(patched('upstreamLineage', current, [remove('/fineGrainedLineages')])).toEqual({
      upstreams: [],
    });
  });
});
