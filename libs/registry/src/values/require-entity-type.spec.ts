import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requireEntityType, buildUrn, urnOfKeyIn } from './require-entity-type';
import type { EntityRegistry } from '../model/entity-registry';
import { library, modelOf } from '../testing/model-of';

let registry: EntityRegistry;

beforeAll(async () => {
  registry = await modelOf([library]);
});

describe('requireEntityType', () => {
  test('makes each part of a tuple a field of the key, sorted in its text', () => {
    const entity = requireEntityType(registry, 'urn:li:book:(urn:li:shelf:(a,b),War: and Peace,HARD)');

    expect(entity).toMatchObject({
      entityType: { name: 'book' },
      key: { shelf: 'urn:li:shelf:(a,b)', title: 'War: and Peace', binding: 'HARD' },
      keyText: '{"binding":"HARD","shelf":"urn:li:shelf:(a,b)","title":"War: and Peace"}',
    });
  });

  test.each(['a', '(a,b)', 'a,b', 'a(b', 'a:b%2C'])(
    'given a key of one field, then %s is the whole key',
    (id) => {
      expect(requireEntityType(registry, `urn:li:shelf:${id}`)).toMatchObject({ key: { room: id } });
    },
  );

  test.each([
    ['shelf', 'must start with "urn:"'],
    ['urn:xx:shelf:a', 'must start with "urn:li:"'],
    ['urn:li:table:a', 'unknown entity type table'],
    ['urn:li:Shelf:a', 'the entity type is spelled shelf, not Shelf'],
    ['urn:li:reader:ann', 'its id must be a tuple of 2 parts (name,card), but has no tuple'],
    ['urn:li:reader:(ann,1,2)', 'its id must be a tuple of 2 parts (name,card), but has 3 of them'],
    ['urn:li:book:(urn:li:shelf:a,T,TORN)', 'its part binding must be one of HARD, SOFT, not "TORN"'],
    ['urn:li:book:(a,T,HARD)', 'its part shelf must be a urn, not "a": must start with "urn:"'],
    [
      'urn:li:book:(urn:li:reader:a,T,HARD)',
      'its part shelf must be a urn of type shelf, not "urn:li:reader:a"',
    ],
  ])('given %s, then the fault names the expected form', (urn, fault) => {
    expect(requireEntityType(registry, urn)).toEqual({ fault });
  });
});

describe('buildUrn', () => {
  const type = (name: string) => {
    const entityType = registry.entityType(name);
    if (entityType === undefined) throw new Error(`no entity type ${name}`);
    return entityType;
  };

  test.each([
    [{ name: 'ann' }, 'Invalid readerKey: /card is required'],
    [{ name: 'a,b', card: '1' }, 'its id must be a tuple of 2 parts (name,card), but has 3 of them'],
    [{ name: '(a', card: '1)' }, 'its id must be a tuple of 2 parts (name,card), but has 1 of them'],
    [{ name: '', card: '1' }, 'has an empty part'],
  ])('given the key %j that no urn can contain, then it is rejected', (key, fault) => {
    expect(buildUrn(registry, type('reader'), key)).toEqual({ fault });
  });

  test('makes the same of a key as text with the name of its type', () => {
    const urnOfKey = urnOfKeyIn(registry);
    expect(urnOfKey('Reader', '{"name":"ann","card":"1","more":1}')).toEqual({
      urn: 'urn:li:reader:(ann,1)',
    });
    expect(urnOfKey('reader', '{"name":"ann"}')).toEqual({ fault: 'Invalid readerKey: /card is required' });
    expect(urnOfKey('table', '{}')).toEqual({
      fault: 'Failed to find entity with name table in EntityRegistry',
    });
    expect(urnOfKey('reader', '{')).toEqual({ fault: expect.any(String) });
  });

  test('property: a key becomes its urn, or is rejected', () => {
    const part = fc.string({
      unit: fc.constantFrom('a', 'é', ',', '(', ')', ':', '%', ' ', '/'),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(part, part, (name, card) => {
        const made = buildUrn(registry, type('reader'), { name, card });
        if ('urn' in made)
          expect(requireEntityType(registry, made.urn)).toMatchObject({ key: { name, card } });
        else expect(`${name}${card}`).toMatch(/[,()]|^ | $/);
      }),
    );
  });

  test('property: a urn becomes a key of the same urn', () => {
    const part = fc.stringMatching(/^[a-z:%./ ]{1,8}$/);
    fc.assert(
      fc.property(part, part, fc.constantFrom('HARD', 'SOFT'), (room, title, binding) => {
        const urn = `urn:li:book:(urn:li:shelf:x${room}x,${title},${binding})`;
        const entity = requireEntityType(registry, urn);
        expect(entity).toHaveProperty('key');
        if ('key' in entity) expect(buildUrn(registry, entity.entityType, entity.key)).toEqual({ urn });
      }),
    );
  });
});
