import { InvalidModelError } from '@stratalog/model';
import { describe, expect, test } from '@jest/globals';
import { loadModel, type ModelOptions } from './load-model';
import { dereferenced, type RecordSchema } from '../schema/schema';
import { library, modelOf, oneAspect, type ModelFiles } from '../testing/model-of';

const REGISTRY = 'entity-registry.yml';

async function toFault(...folders: readonly ModelFiles[]): Promise<string> {
  try {
    await modelOf(folders);
  } catch (error) {
    if (error instanceof InvalidModelError)
      return error.message.replaceAll(/\S*stratalog-model-[^/]*\//g, '');
    throw error;
  }
  return 'no fault';
}

async function fingerprints(files: ModelFiles, options: Omit<ModelOptions, 'folders'> = {}) {
  const { fingerprint, searchFingerprint } = await modelOf([files], options);
  return { fingerprint, searchFingerprint };
}

describe('loadModel', () => {
  test('given a folder, then its entity types and aspects are there', async () => {
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

  test('given unknown options, then each has one warning with its place, and annotations are kept', async () => {
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

  test('given known options without an effect, then each has one note with its place', async () => {
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

  test('given includes, imports, inline types and circles, then every name is resolved', async () => {
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

  test('given a typeref as union member, then the type behind it is the key', async () => {
    const registry = await modelOf([
      oneAspect('u: union[Name, Colours]', {
        'Name.pdl': 'typeref Name = string',
        'Colours.pdl': 'typeref Colours = enum Colour { RED }',
      }),
    ]);
    const type = dereferenced((registry.schema('ThingInfo') as RecordSchema).fields[0]?.type ?? never());

    expect(type).toMatchObject({ members: [{ key: 'string' }, { key: 'Colour' }] });
  });

  test('given another vendor and namespace, then full names and urns follow', async () => {
    const registry = await modelOf([library], { vendor: 'acme', urnNamespace: 'ac' });

    expect(registry.aspect('bookInfo')?.recordName).toBe('com.acme.book.BookInfo');
    expect(registry.schema('com.linkedin.book.BookInfo')).toBeUndefined();
    expect(registry.urnNamespace).toBe('ac');
  });

  test('given a second folder, then it adds types, entities, and aspects of existing entities', async () => {
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

  test('given changes, then the fingerprint follows meaning and the search fingerprint follows search', async () => {
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

describe('loadModel rejects', () => {
  test.each([
    [
      'a name that nothing declares',
      oneAspect('a: Nobody'),
      'folder-1/ThingInfo.pdl:2:4: expected a type, but nothing declares Nobody',
    ],
    [
      'a name that is declared twice',
      oneAspect('a: string', { 'z/Other.pdl': '\nrecord ThingKey {}' }),
      'folder-1/z/Other.pdl:2:8: ThingKey is declared twice, first at folder-1/ThingKey.pdl:1:39',
    ],
    [
      'two imports of one short name',
      oneAspect('a: string', { 'Other.pdl': 'import a.B\nimport c.B\nrecord Other {}' }),
      'folder-1/Other.pdl:2:8: B is imported twice: as a.B and as c.B',
    ],
    [
      'an aspect that is declared twice',
      oneAspect('a: string', { 'Zwei.pdl': '@Aspect = {"name": "thingInfo"} record Zwei {}' }),
      'folder-1/Zwei.pdl:1:40: the aspect thingInfo is declared twice, first at folder-1/ThingInfo.pdl:1:40',
    ],
    [
      'an aspect that no record declares',
      {
        ...oneAspect('a: string'),
        [REGISTRY]: 'entities:\n- name: thing\n  keyAspect: thingKey\n  aspects:\n  - nothing',
      },
      'folder-1/entity-registry.yml:5:5: expected an aspect, but no record declares nothing (@Aspect = {"name": "nothing"})',
    ],
    [
      'an entity that is declared twice',
      {
        ...oneAspect('a: string'),
        [REGISTRY]: 'entities:\n- {name: thing, keyAspect: thingKey}\n- {name: Thing, keyAspect: thingKey}',
      },
      'folder-1/entity-registry.yml:3:10: the entity Thing is declared twice, first at folder-1/entity-registry.yml:2:10',
    ],
    [
      'an entity without key aspect',
      { ...oneAspect('a: string'), [REGISTRY]: 'entities:\n- {name: thing}' },
      'folder-1/entity-registry.yml:2:10: expected a keyAspect for thing',
    ],
    [
      'a registry file that is no YAML',
      { ...oneAspect('a: string'), [REGISTRY]: 'entities: [' },
      /^folder-1\/entity-registry.yml:1:12: /,
    ],
    [
      'a list where a text should be',
      { ...oneAspect('a: string'), [REGISTRY]: 'entities:\n- name: [thing]' },
      'folder-1/entity-registry.yml:2:9: expected a text under name',
    ],
    [
      'a field that occurs twice',
      oneAspect('a: string\na: int'),
      'folder-1/ThingInfo.pdl:3:1: the field a occurs twice in ThingInfo, first at folder-1/ThingInfo.pdl:2:1',
    ],
    [
      'a record that includes itself',
      oneAspect('a: A', { 'A.pdl': 'record A includes B {}', 'B.pdl': 'record B includes A {}' }),
      'folder-1/A.pdl:1:8: the record A includes itself',
    ],
    [
      'a typeref that leads to itself',
      oneAspect('a: A', { 'A.pdl': 'typeref A = B', 'B.pdl': 'typeref B = A' }),
      'folder-1/A.pdl:1:9: the typeref A leads back to itself',
    ],
    [
      'a map whose keys are no strings',
      oneAspect('a: map[int, string]'),
      'folder-1/ThingInfo.pdl:2:8: expected string: the keys of a map are strings',
    ],
    [
      'a union with one member twice',
      oneAspect('a: union[string,\n  string]'),
      'folder-1/ThingInfo.pdl:3:3: the union has two members string, the first at folder-1/ThingInfo.pdl:2:10',
    ],
    [
      'an enum with one symbol twice',
      oneAspect('a: enum E { A A }'),
      'folder-1/ThingInfo.pdl:2:15: the symbol A occurs twice in E',
    ],
    [
      'a default of another type',
      oneAspect('a: int = "1"'),
      'folder-1/ThingInfo.pdl:2:1: the default of a does not fit its type: must be a 32-bit integer, not "1"',
    ],
    [
      'a key that no urn can hold',
      oneAspect('a: string', {
        'ThingKey.pdl': '@Aspect = {"name": "thingKey"} record ThingKey { id: int }',
      }),
      'folder-1/ThingKey.pdl:1:50: the field id of the key thingKey must be a string, an enum or a urn',
    ],
    [
      'an unknown type of search field',
      oneAspect('@Searchable = {"fieldType": "WORDS"} a: string'),
      /^folder-1\/ThingInfo.pdl:2:38: @Searchable: expected a fieldType of KEYWORD, .*, found WORDS$/,
    ],
    [
      'a search path that leads nowhere',
      oneAspect('@Searchable = {"/*/nmae": {}} a: array[record Inner { name: string }]'),
      'folder-1/ThingInfo.pdl:2:31: @Searchable: the path /nmae leads nowhere; expected one of name',
    ],
    [
      'an empty folder',
      {},
      'folder-1: expected entity-registry.yml or entity-registry.yaml or *.pdl files, found none',
    ],
  ])('%s', async (_, files: ModelFiles, message: string | RegExp) => {
    expect(await toFault(files)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  test('a later folder that gives an entity another key, or its name another spelling', async () => {
    const first = oneAspect('a: string');
    const other = '@Aspect = {"name": "otherKey"} record OtherKey { id: string }';

    expect(
      await toFault(first, {
        [REGISTRY]: 'entities: [{name: thing, keyAspect: otherKey}]',
        'OtherKey.pdl': other,
      }),
    ).toBe(
      'folder-2/entity-registry.yml:1:37: the key aspect of thing is thingKey at folder-1/entity-registry.yml:1:19',
    );
    expect(await toFault(first, { [REGISTRY]: 'entities: [{name: Thing}]' })).toBe(
      'folder-2/entity-registry.yml:1:19: the entity Thing is spelled thing at folder-1/entity-registry.yml:1:19',
    );
  });

  test('a folder that does not exist', async () => {
    await expect(loadModel({ folders: ['no/such/folder'] })).rejects.toThrow(
      'no/such/folder: the model folder cannot be read',
    );
  });
});

function never(): never {
  throw new Error('the field is there');
}
