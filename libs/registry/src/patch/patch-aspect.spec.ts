import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonOutput } from '@stratalog/json';
import fc from 'fast-check';
import { STAMP, add, owner, patchByModel, remove, tags, type Patched } from '../testing/patching';
import { PATCH_TEMPLATES } from './patch-templates';

let patched: Patched;
beforeAll(async () => {
  patched = await patchByModel();
});

describe('a patch by keys', () => {
  it('adds, replaces and removes elements by key, and keeps the order of the others', () => {
    const lastModified = { time: 1, actor: 'urn:li:corpuser:x' };
    const current = { owners: [owner('2'), owner('1'), owner('a')], lastModified };
    const path = (name: string) => `/owners/urn:li:corpuser:${name}/DATAOWNER`;
    expect(
      patched('ownership', current, [
        add(path('b'), owner('b')),
        remove(path('1')),
        add(path('2'), owner('2')),
      ]),
    ).toEqual({ owners: [owner('2'), owner('a'), owner('b')], lastModified });
  });

  it('distinguishes elements by a further key, in paths with it and without', () => {
    const typed = { ...owner('a', 'CUSTOM'), typeUrn: 'urn:li:ownershipType:lead' };
    const path = '/owners/urn:li:corpuser:a/CUSTOM';
    const aspectCreated = patched('ownership', undefined, [
      add(`${path}/urn:li:ownershipType:lead`, typed),
    ]) as JsonObject;
    expect(aspectCreated).toEqual({ owners: [typed], lastModified: { time: 7, actor: STAMP.actor } });
    const two = patched('ownership', aspectCreated, [add(`${path}/`, owner('a', 'CUSTOM'))]) as JsonObject;
    expect(two.owners).toEqual([typed, owner('a', 'CUSTOM')]);
    expect(patched('ownership', two, [remove(path)])).toMatchObject({ owners: [] });
    expect(patched('ownership', two, [remove(`${path}/urn:li:ownershipType:lead`)])).toMatchObject({
      owners: [owner('a', 'CUSTOM')],
    });
  });

  it('accepts urns in a path escaped, encoded, or plain', () => {
    const tag = 'urn:li:tag:a/b~c';
    const expected = { tags: [{ tag, context: 'x' }] };
    for (const step of ['urn:li:tag:a~1b~0c', encodeURIComponent(tag).replace('~', '~0')]) {
      expect(
        patched('globalTags', { tags: [{ tag }] }, [add(`/tags/${step}`, { tag, context: 'x' })]),
      ).toEqual(expected);
    }
  });

  it('completes what it creates: the key of an element, the stamp of terms', () => {
    const path = '/editableSchemaFieldInfo/orders.id';
    const urn = 'urn:li:glossaryTerm:Pii';
    expect(
      patched('editableSchemaMetadata', undefined, [
        add(`${path}/globalTags/tags/urn:li:tag:a`, { tag: 'urn:li:tag:a' }),
        add(`${path}/glossaryTerms/terms/${urn}`, { urn }),
        add(`${path}/globalTags/tags/urn:li:tag:b`, {}),
      ]),
    ).toMatchObject({
      editableSchemaFieldInfo: [
        {
          fieldPath: 'orders.id',
          globalTags: tags('a', 'b'),
          glossaryTerms: { terms: [{ urn }], auditStamp: { time: 7, actor: STAMP.actor } },
        },
      ],
    });
  });

  it('reaches into existing elements', () => {
    const current = { editableSchemaFieldInfo: [{ fieldPath: 'id', globalTags: tags('a', 'b') }] };
    const path = '/editableSchemaFieldInfo/id/globalTags/tags/urn:li:tag:a';
    expect(patched('editableSchemaMetadata', current, [remove(path)])).toMatchObject({
      editableSchemaFieldInfo: [{ fieldPath: 'id', globalTags: tags('b') }],
    });
  });

  it('keeps everything outside its paths, elements with equal keys included', () => {
    const twice = { tags: [...tags('a').tags, ...tags('a').tags, ...tags('b').tags] };
    expect(patched('globalTags', twice, [remove('/tags/urn:li:tag:b')])).toEqual({
      tags: [...tags('a').tags, ...tags('a').tags],
    });
  });

  it('keeps plain lists of urns by their texts', () => {
    const urn = 'urn:li:domain:a';
    expect(patched('domains', undefined, [add(`/domains/${urn}`, urn)])).toEqual({ domains: [urn] });
    expect(patched('domains', { domains: ['urn:li:domain:b', urn] }, [remove(`/domains/${urn}`)])).toEqual({
      domains: ['urn:li:domain:b'],
    });
  });

  it('may name the keys of a known array in another order', () => {
    const arrayPrimaryKeys = { tags: ['attribution\u241fsource', 'tag'] };
    const sourced = {
      tag: 'urn:li:tag:b',
      attribution: { time: 1, actor: STAMP.actor, source: 'urn:li:dataHubAction:x' },
    };
    const addA = { patch: [add('/tags//urn:li:tag:a', tags('a').tags[0] ?? null)], arrayPrimaryKeys };
    expect(patched('globalTags', undefined, addA)).toEqual(tags('a'));
    expect(patched('globalTags', tags('a', 'b'), addA)).toEqual(tags('a', 'b'));
    const addSourced = {
      patch: [add('/tags/urn:li:dataHubAction:x/urn:li:tag:b', sourced)],
      arrayPrimaryKeys,
    };
    const both = patched('globalTags', tags('b'), addSourced);
    expect(both).toEqual({ tags: [...tags('b').tags, sourced] });
    expect(patched('globalTags', both, { patch: [remove('/tags//urn:li:tag:b')], arrayPrimaryKeys })).toEqual(
      { tags: [sourced] },
    );
    const allOfB = {
      patch: [remove('/tags/urn:li:tag:b')],
      arrayPrimaryKeys: { tags: ['tag', 'attribution\u241fsource'] },
    };
    expect(patched('globalTags', both, allOfB)).toEqual({ tags: [] });
  });

  it('may end in keys of no element', () => {
    const arrayPrimaryKeys = { owners: ['owner', 'type', 'typeUrn', 'attribution\u241fsource'] };
    const patch = [add('/owners/urn:li:corpuser:a/DATAOWNER//', owner('a'))];
    const aspectCreated = patched('ownership', undefined, { patch, arrayPrimaryKeys });
    expect(aspectCreated).toMatchObject({ owners: [owner('a')] });
    expect(patched('ownership', aspectCreated, { patch, arrayPrimaryKeys })).toEqual(aspectCreated);
    const gone = { patch: [remove('/owners/urn:li:corpuser:a')], arrayPrimaryKeys };
    expect(patched('ownership', aspectCreated, gone)).toMatchObject({ owners: [] });
  });

  it('names its own keys for any other aspect, or when forced', () => {
    const patch = [add('/paths/b', '/b')];
    expect(patched('browsePaths', { paths: ['/a'] }, patch)).toBe(
      'Aspect: browsePaths does not currently support patch operations.',
    );
    expect(patched('browsePaths', { paths: ['/a'] }, { patch, arrayPrimaryKeys: { paths: [] } })).toEqual({
      paths: ['/a', '/b'],
    });
    const generic = {
      patch: [add('/tags/-', tags('b').tags[0] ?? null)],
      arrayPrimaryKeys: {},
      forceGenericPatch: true,
    };
    expect(patched('globalTags', tags('a'), generic)).toEqual(tags('a', 'b'));
  });
});

describe('a patch', () => {
  it('keeps numbers exact', () => {
    const time = 9_007_199_254_740_993n;
    const current = { customProperties: {}, created: { time } };
    expect(patched('datasetProperties', current, [add('/customProperties/a', 'b')])).toEqual({
      customProperties: { a: 'b' },
      created: { time },
    });
    const test = { op: 'test', path: '/created/time', value: time };
    expect(patched('datasetProperties', current, [test])).toEqual(current);
    expect(patched('datasetProperties', current, [{ ...test, value: time - 1n }])).toContain(
      'the value is another',
    );
  });

  it.each<[string, JsonOutput, string]>([
    [
      'replaces what is not there',
      [{ op: 'replace', path: '/a/b', value: 1 }],
      'there is nothing at this path',
    ],
    [
      'moves what is not there',
      [{ op: 'move', from: '/description', path: '/name' }],
      'operation /0 (move /name): there is nothing at this path',
    ],
    [
      'copies what is not there',
      [{ op: 'copy', from: '/description', path: '/name' }],
      'there is nothing at this path',
    ],
    [
      'tests what is not there',
      [{ op: 'test', path: '/description', value: 'x' }],
      'there is nothing at this path',
    ],
    ['tests for another value', [{ op: 'test', path: '/name', value: 'y' }], 'the value is another'],
    ['moves a value into itself', [{ op: 'move', from: '/name', path: '/name/a' }], 'moved into itself'],
    ['puts a value into a text', [add('/name/a', 1)], 'nothing that could hold "a"'],
    ['removes everything', [remove('')], 'use DELETE'],
    ['misses the model', [add('/name', 7)], '/name :: must be a string, not 7'],
    ['is no list', { op: 'add' }, 'it is not an RFC 6902 array of operations'],
    ['has an unknown op', [{ op: 'set', path: '/a' }], '/0 has an op that is not add'],
    ['has a path without slash', [remove('a')], 'does not begin with /'],
    ['has a wrong escape', [remove('/~2')], 'in which ~ is not ~0 or ~1'],
    ['goes to the prototype', [remove('/__proto__/a')], '__proto__'],
    ['has no value', [{ op: 'add', path: '/a' }], '/0 has no value'],
    ['has no from', [{ op: 'copy', path: '/a' }], '/0 has no from'],
    [
      'has wrong keys',
      { patch: [], arrayPrimaryKeys: { a: 'b' } },
      '/arrayPrimaryKeys/a is not a list of names',
    ],
    ['has a wrong force', { patch: [], forceGenericPatch: 'yes' }, '/forceGenericPatch is not true or false'],
    ['is too long', Array.from({ length: 10_001 }, () => remove('/a')), 'more than 10000 operations'],
    [
      'doubles the value again and again',
      Array.from({ length: 60 }, (_, at) => ({ op: 'copy', from: '', path: `/c${String(at)}` })),
      'copies too much',
    ],
    [
      'moves a large part again and again',
      [
        ...Array.from({ length: 1_000 }, (_, at) => add(`/a/${String(at)}`, 1)),
        ...Array.from({ length: 200 }, (_, at) => {
          const [from, path] = at % 2 === 0 ? ['/a', '/b'] : ['/b', '/a'];
          return { op: 'move', from, path };
        }),
      ],
      'what its copies, moves and tests read has more than 100000 values',
    ],
    [
      'nests the value again and again',
      Array.from({ length: 300 }, () => ({ op: 'copy', from: '', path: '/a' })),
      'nested deeper than 200 levels',
    ],
  ])('a patch that %s is rejected', (_, patch, reason) => {
    expect(patched('datasetProperties', { name: 'x', customProperties: {} }, patch)).toContain(reason);
  });

  it('a patch of an aspect without an initial value needs a stored one', () => {
    expect(patched('versionProperties', undefined, [add('/comment', 'x')])).toContain(
      'Default aspect is required',
    );
  });

  it('a patch of a key aspect is rejected', () => {
    expect(patched('datasetKey', undefined, [])).toContain('follows from the urn');
  });

  it('a patch of nothing begins with a valid value, for every template', () => {
    for (const [name, { initialValue }] of PATCH_TEMPLATES) {
      if (initialValue === undefined) continue;
      const value = initialValue(STAMP);
      const result = patched(name, undefined, [{ op: 'test', path: '', value }]);
      expect([name, typeof result]).toEqual([name, 'object']);
    }
  });

  it('sets the status, stored or not', () => {
    expect(patched('status', undefined, [add('/removed', true)])).toEqual({ removed: true });
    expect(patched('status', { removed: true }, [add('/removed', false)])).toEqual({ removed: false });
  });

  it('a patch of tags gives the set of those added and not removed later', () => {
    const names = fc.constantFrom('a', 'b', '1', '2', 'c/d');
    const steps = fc.array(fc.tuple(fc.boolean(), names), { maxLength: 20 });
    fc.assert(
      fc.property(fc.uniqueArray(names), steps, (before, made) => {
        const expected = new Set(before);
        const patch = made.flatMap(([isAdded, name]) => {
          const tag = `urn:li:tag:${name}`;
          const path = `/tags/${tag.replaceAll('/', '~1')}`;
          if (isAdded) expected.add(name);
          else expected.delete(name);
          return [isAdded ? add(path, { tag }) : remove(path)];
        });
        expect(patched('globalTags', tags(...before), patch)).toEqual(tags(...expected));
      }),
    );
  });
});
