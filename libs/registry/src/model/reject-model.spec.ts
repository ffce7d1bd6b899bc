import { InvalidModelError } from '@stratalog/domain';
import { describe, expect, test } from '@jest/globals';
import { loadModel } from './load-model';
import { modelOf, oneAspect, type ModelFiles } from '../testing/model-of';

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
