import { describe, expect, test } from '@jest/globals';
import type { ModelOptions } from './load-model';
import { dereferenced, type RecordSchema } from '../schema/schema';
import { library, modelOf, oneAspect, type ModelFiles } from '../testing/model-of';

async function fingerprints(files: ModelFiles, options: Omit<ModelOptions, 'folders'> = {}) {
  const { fingerprint, searchFingerprint } = await modelOf([files], options);
  return { fingerprint, searchFingerprint };
}

describe('loadModel', () => {
  test('loads the entity types and aspects of a folder', async () => {
    const registry = await modelOf([library]);

    expect(registry.entityTypes.map(({ name }) => name)).toEqual(['book', 'shelf', 'reader']);
    const book = registry.entityType('BOOK');
    expect(book).toMatchObject({ name: 'book', doc: 'A printed work.', category: 'core' });
    expect([...(book?.aspects.keys() ?? [])]).toEqual(['bookKey', 'bookInfo', 'loans', 'status']);
    expect(book?.keyAspect).toBe(registry.aspect('bookKey'));
    expect(registry.aspect('bookKey')).toMatchObject({ kind: 'versioned', isKey: true });
    expect(registry.aspect('loans')).toMatchObject({
      kind: 'timeseries',
      isKey: false,
      recordName: 'com.linkedin.book.Loans',
    });
    expect(registry.aspect('nothing')).toBeUndefined();
    expect(registry.entityType('nothing')).toBeUndefined();
  });

  test('warns of each unknown option once, with its place, and keeps annotations', async () => {
    const registry = await modelOf([
      oneAspect(`
        @Searchable = {"boost": 2} @Fancy = {"x": 1} a: string
        @Searchable = {"boost": 3} b: string
        @Relationship = {"name": "To", "isUp": true} c: string
      `),
    ]);

    expect(registry.warnings.map((line) => line.replace(/.*folder-1./, ''))).toEqual([
      'ThingInfo.pdl:3:54: @Searchable: the option boost is not known and ignored (and at 1 more places)',
      'ThingInfo.pdl:5:54: @Relationship: the option isUp is not known and ignored',
    ]);
    expect(registry.aspect('thingInfo')?.record.fields[0]?.annotations.Fancy).toEqual({ x: 1 });
  });

  test('notes each known option without an effect once, with its place', async () => {
    const registry = await modelOf([
      oneAspect(
        `@Searchable = {"searchTier": 1, "v3": {}} a: string
         @Searchable = {"searchTier": 2} b: string
         @SearchableRef = {"refType": "book", "depth": 2} c: string
         @UrnValidation = {"exist": true} d: string
         @UrnValidation = {"exist": false} e: string`,
        {
          'More.pdl': '@Aspect = {"name": "more", "schemaVersion": 2, "autoRender": true} record More {}',
          'entity-registry.yml': `entities:
            - {name: thing, keyAspect: thingKey, aspects: [thingInfo], searchGroup: primary, viewUnrestricted: true, color: red}
events: [{name: happened}]
plugins: {mutationHooks: [{className: a.B}, {className: a.C}]}`,
        },
      ),
    ]);
    const short = (lines: readonly string[]) =>
      lines.map((line) => line.replace(/.*folder-1.|:\d+:\d+/g, ''));

    expect(registry.entityType('thing')).toMatchObject({ searchGroup: 'primary', isViewUnrestricted: true });
    expect(short(registry.warnings).sort()).toEqual([
      'ThingInfo.pdl: @SearchableRef: the model has no entity type book, so only the urn is searched',
      'entity-registry.yml: the key color is not known and ignored',
    ]);
    expect(short(registry.notes).sort()).toEqual([
      'More.pdl: @Aspect: the option autoRender has no effect here',
      'More.pdl: @Aspect: the option schemaVersion has no effect here',
      'ThingInfo.pdl: @Searchable: the option searchTier has no effect here (and at 1 more places)',
      'ThingInfo.pdl: @Searchable: the option v3 has no effect here',
      'ThingInfo.pdl: @SearchableRef: the option depth has no effect here',
      'entity-registry.yml: the classes under mutationHooks are not run (and at 1 more places)',
    ]);
  });

  test('resolves every name of includes, imports, inline types and circles', async () => {
    const registry = await modelOf([library]);
    const info = registry.schema('com.linkedin.book.BookInfo') as RecordSchema;
    const typeOf = (name: string) => info.fields.find((field) => field.name === name)?.type;

    expect(info.fields.slice(0, 3).map(({ name }) => name)).toEqual(['title', 'properties', 'pages']);
    expect(typeOf('home')).toBe(registry.schema('com.linkedin.common.ShelfUrn'));
    expect(typeOf('binding')).toBe(registry.schema('com.linkedin.key.Binding'));
    expect(registry.schema('com.linkedin.book.Checksum')).toMatchObject({ kind: 'fixed', size: 4 });
    const chapter = registry.schema('com.linkedin.book.Chapter') as RecordSchema;
    expect(chapter.fields[1]?.type).toEqual({ kind: 'array', items: chapter });
    expect(typeOf('origin')).toMatchObject({
      members: [{ key: 'string' }, { key: 'com.linkedin.book.Bought' }, { key: 'gift', aliased: true }],
    });
  });

  test('takes the type behind a typeref as the key of a union member', async () => {
    const registry = await modelOf([
      oneAspect('u: union[Name, Colours]', {
        'Name.pdl': 'typeref Name = string',
        'Colours.pdl': 'typeref Colours = enum Colour { RED }',
      }),
    ]);
    const type = dereferenced((registry.schema('ThingInfo') as RecordSchema).fields[0]?.type ?? never());

    expect(type).toMatchObject({ members: [{ key: 'string' }, { key: 'Colour' }] });
  });

  test('makes full names and urns of another vendor and namespace', async () => {
    const registry = await modelOf([library], { vendor: 'acme', urnNamespace: 'ac' });

    expect(registry.aspect('bookInfo')?.recordName).toBe('com.acme.book.BookInfo');
    expect(registry.schema('com.linkedin.book.BookInfo')).toBeUndefined();
    expect(registry.urnNamespace).toBe('ac');
  });

  test('adds types, entities, and aspects of existing entities from a second folder', async () => {
    const mine = {
      'entity-registry.yaml': `
id: mine
entities:
  - { name: book, aspects: [review] }
  - { name: critic, keyAspect: criticKey }
plugins: { aspectPayloadValidators: [] }`,
      'Review.pdl': '@Aspect = {"name": "review"} record Review { by: com.linkedin.common.Urn }',
      'CriticKey.pdl': '@Aspect = {"name": "criticKey"} record CriticKey { name: string }',
    };
    const registry = await modelOf([library, mine]);

    expect([...(registry.entityType('book')?.aspects.keys() ?? [])]).toContain('review');
    expect(registry.entityTypes.map(({ name }) => name)).toEqual(['book', 'shelf', 'reader', 'critic']);
  });

  test('changes the fingerprint with the meaning of a model, and the search fingerprint with its search fields', async () => {
    const changed = (name: string, from: string, to: string) =>
      fingerprints({ ...library, [name]: (library[name] ?? '').replace(from, to) });
    const before = await fingerprints(library);

    expect(before.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(await changed('book/Bought.pdl', 'record', '/** Paid for. */ record')).toEqual(before);
    expect(
      await changed(
        'key/BookKey.pdl',
        '"enableAutocomplete": true, "boostScore": 10.0',
        '"boostScore": 10, "enableAutocomplete": true',
      ),
    ).toEqual(before);
    const optional = await changed('book/Bought.pdl', 'price: double', 'price: optional double');
    expect(optional.fingerprint).not.toBe(before.fingerprint);
    expect(optional.searchFingerprint).toBe(before.searchFingerprint);
    const boosted = await changed('key/BookKey.pdl', '10.0', '9');
    expect(boosted.fingerprint).not.toBe(before.fingerprint);
    expect(boosted.searchFingerprint).not.toBe(before.searchFingerprint);
    expect((await fingerprints(library, { urnNamespace: 'x' })).fingerprint).not.toBe(before.fingerprint);
  });
});

function never(): never {
  throw new Error('the field is there');
}
