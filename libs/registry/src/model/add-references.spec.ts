import { describe, expect, test } from '@jest/globals';
import { modelOf, type ModelFiles } from '../testing/model-of';

/** A page that names a word, and a word that names another. */
const files = (reference: string, more: ModelFiles = {}): ModelFiles => ({
  'entity-registry.yml': `
entities:
  - {name: page, keyAspect: pageKey, aspects: [words]}
  - {name: word, keyAspect: wordKey, aspects: [meaning, origin, seen, kin]}`,
  'Urn.pdl': '@Urn typeref Urn = string',
  'PageKey.pdl': '@Aspect = {"name": "pageKey"} record PageKey { id: string }',
  'WordKey.pdl': '@Aspect = {"name": "wordKey"} record WordKey { id: string }',
  'Words.pdl': `@Aspect = {"name": "words"} record Words { ${reference} words: array[Urn] = [] }`,
  'Meaning.pdl': `@Aspect = {"name": "meaning"} record Meaning {
     @Searchable = {"fieldType": "WORD_GRAM", "boostScore": 10, "enableAutocomplete": true, "addToFilters": true, "fieldNameAliases": ["label"], "hasValuesFieldName": "hasText"} text: string
     @Searchable = {"fieldType": "KEYWORD", "queryByDefault": false} language: optional string
     @Searchable = {"/*": {"fieldType": "BROWSE_PATH"}} shelves: array[string] = [] }`,
  'Origin.pdl': '@Aspect = {"name": "origin"} record Origin { @Searchable = {} century: int = 0 }',
  'Seen.pdl': `@Aspect = {"name": "seen", "type": "timeseries"} record Seen { timestampMillis: long @Searchable = {} where: optional string }`,
  'Kin.pdl': `@Aspect = {"name": "kin"} record Kin {
     @SearchableRef = {"refType": "word", "fieldName": "kin"} of: optional Urn
     @Searchable = {} note: optional string }`,
  ...more,
});

describe('addReferences', () => {
  test('makes the searched fields of the other type fields of this one', async () => {
    const registry = await modelOf([
      files('@SearchableRef = {"/*": {"refType": "Word", "fieldName": "wordRef", "boostScore": 0.5}}'),
    ]);
    const page = registry.entityType('page');

    expect(
      page?.references.map(({ entityType, aspect, place }) => [entityType, aspect.name, place.path]),
    ).toEqual([['word', 'words', '/words/*']]);
    expect([...(page?.searchFields.keys() ?? [])]).toEqual([
      'urn',
      'wordRef',
      'wordRef.text',
      'wordRef.language',
      'wordRef.century',
    ]);
    expect(page?.searchFields.get('wordRef.text')).toEqual({
      name: 'wordRef.text',
      type: 'WORD_GRAM',
      queryByDefault: true,
      boost: 5,
      autocomplete: false,
      aliases: [],
    });
    expect(page?.searchFields.get('wordRef.language')).toMatchObject({ queryByDefault: false, boost: 0.5 });
  });

  test('takes no name of the other entity for one of this one, at a boost of 1', async () => {
    const registry = await modelOf([files('@SearchableRef = {"/*": {"refType": "word"}}')]);

    expect(registry.entityType('page')?.searchFields.get('words.text')?.boost).toBe(7);
  });

  test('searches the fields of a reference by default only when the reference is', async () => {
    const registry = await modelOf([
      files('@SearchableRef = {"/*": {"refType": "word", "queryByDefault": false}}'),
    ]);

    expect(registry.entityType('page')?.searchFields.get('words.text')?.queryByDefault).toBe(false);
  });

  test('takes no fields of an aspect with references where a type refers to itself', async () => {
    const registry = await modelOf([files('')]);
    const names = [...(registry.entityType('word')?.searchFields.keys() ?? [])];

    expect(names.filter((name) => name.startsWith('kin.'))).toEqual([
      'kin.text',
      'kin.language',
      'kin.century',
    ]);
  });

  test('changes the fingerprint of search documents with the references', async () => {
    const plain = await modelOf([files('@Searchable = {"/*": {"fieldType": "URN", "fieldName": "words"}}')]);
    const referring = await modelOf([files('@SearchableRef = {"/*": {"refType": "word"}}')]);

    expect(referring.searchFingerprint).not.toBe(plain.searchFingerprint);
  });
});
