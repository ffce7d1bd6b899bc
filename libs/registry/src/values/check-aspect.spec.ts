import { parseJson, type JsonValue } from '@stratalog/json';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EntityRegistry } from '../model/entity-registry';
import { library, modelOf, oneAspect } from '../testing/model-of';
import { checkAspect } from './check-aspect';

let registry: EntityRegistry;

beforeAll(async () => {
  registry = await modelOf([library]);
});

/** The canonical text, or the faults as `path reason`. */
function check(value: JsonValue, model = registry, name = 'bookInfo'): string | readonly string[] {
  const aspect = model.aspect(name);
  if (aspect === undefined) throw new Error(`no aspect ${name}`);
  const checked = checkAspect(model, aspect, value);
  return 'faults' in checked ? checked.faults.map(({ path, reason }) => `${path} ${reason}`) : checked.text;
}

describe('the canonical value of an aspect', () => {
  test('sorts members, and leaves unknown ones out', () => {
    expect(check({ title: 'T', unknown: { deep: [1] }, pages: 3, binding: 'HARD' })).toBe(
      '{"binding":"HARD","pages":3,"title":"T"}',
    );
  });

  test('takes nulls on optional and defaulted fields for absent, and fills no default in', () => {
    expect(check({ title: 'T', pages: null, tags: null, properties: null, rating: null })).toBe(
      '{"title":"T"}',
    );
  });

  test('has map keys in the order of their code units, also those that JavaScript would reorder', () => {
    const properties = parseJson(
      '{"b":"1","10":"2","9":"3","__proto__":"4","\\ud83d\\ude00":"5","\\uffff":"6","a":"7"}',
    );

    expect(check({ title: 'T', properties })).toBe(
      '{"properties":{"10":"2","9":"3","__proto__":"4","a":"7","b":"1","\u{1f600}":"5","\uffff":"6"},"title":"T"}',
    );
  });

  test('takes the own member only of a field with an inherited name', () => {
    expect(check({ title: 'T' })).toBe('{"title":"T"}');
    expect(check({ title: 'T', toString: 'x' })).toBe('{"title":"T","toString":"x"}');
  });

  test.each([
    ['1', '1'],
    ['3.0', '3'],
    ['-0', '0'],
    ['9007199254740993', '9007199254740993'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9.007199254740996e15', '9007199254740996'],
    ['9223372036854774784.0', '9223372036854774784'],
  ])('given the 64-bit integer %s, then its digits are exact', (literal, digits) => {
    expect(check(parseJson(`{"title":"T","isbn":${literal}}`))).toBe(`{"isbn":${digits},"title":"T"}`);
  });

  test('keeps control characters and NUL of texts, as escapes', () => {
    expect(check({ title: 'a\u0000"\\\n\u{1f600}' })).toBe('{"title":"a\\u0000\\"\\\\\\n\u{1f600}"}');
  });

  test.each(['com.linkedin.book.Bought', 'Bought', 'com.linkedin.pegasus2avro.book.Bought'])(
    'given a union member under the name %s, then it gets its full name',
    (name) => {
      expect(check({ title: 'T', origin: { [name]: { price: 1.5, at: null } } })).toBe(
        '{"origin":{"com.linkedin.book.Bought":{"price":1.5}},"title":"T"}',
      );
    },
  );

  test('has the names of another vendor, and reads those of the model as written too', async () => {
    const acme = await modelOf([library], { vendor: 'acme' });

    for (const name of [
      'com.acme.book.Bought',
      'com.linkedin.book.Bought',
      'com.acme.pegasus2avro.book.Bought',
    ]) {
      expect(check({ title: 'T', origin: { [name]: { price: 1 } } }, acme)).toBe(
        '{"origin":{"com.acme.book.Bought":{"price":1}},"title":"T"}',
      );
    }
  });

  test('needs full names where two members share a short one', async () => {
    const model = await modelOf([
      oneAspect('u: union[x.A, y.A]', {
        'XA.pdl': 'namespace x record A {}',
        'YA.pdl': 'namespace y record A {}',
      }),
    ]);

    expect(check({ u: { 'y.A': {} } }, model, 'thingInfo')).toBe('{"u":{"y.A":{}}}');
    expect(check({ u: { A: {} } }, model, 'thingInfo')).toEqual(['/u must be one of x.A, y.A, not "A"']);
  });

  test('is null in a nullable union that may not be absent', async () => {
    const model = await modelOf([oneAspect('u: union[null, string]')]);

    expect(check({ u: null }, model, 'thingInfo')).toBe('{"u":null}');
    expect(check({}, model, 'thingInfo')).toEqual(['/u is required']);
  });

  test('reads back as the checked value', () => {
    const aspect = registry.aspect('bookInfo') ?? never();
    const checked = checkAspect(registry, aspect, { isbn: 2n ** 60n, title: 'T' });

    expect(checked).toHaveProperty('value', { isbn: 2n ** 60n, title: 'T' });
  });
});

describe('checkAspect', () => {
  test.each<[JsonValue, string]>([
    [{}, '/title is required'],
    [{ title: null }, '/title must be a string, not null'],
    [{ title: 'a\ud800' }, '/title must not contain unpaired surrogates'],
    [{ title: 'T', pages: 2 ** 31 }, '/pages must be a 32-bit integer, not 2147483648'],
    [{ title: 'T', pages: 1.5 }, '/pages must be a 32-bit integer, not 1.5'],
    [{ title: 'T', isbn: 2n ** 63n }, '/isbn must be a 64-bit integer, not 9223372036854775808'],
    [{ title: 'T', isbn: 2 ** 63 }, '/isbn must be a 64-bit integer, not 9223372036854776000'],
    [{ title: 'T', isbn: '1' }, '/isbn must be a 64-bit integer, not "1"'],
    [{ title: 'T', weight: 'NaN' }, '/weight must be a finite number, not "NaN"'],
    [{ title: 'T', weight: Infinity }, '/weight must be a finite number, not Infinity'],
    [{ title: 'T', binding: 'hard' }, '/binding must be one of HARD, SOFT, not "hard"; did you mean HARD?'],
    [{ titel: 'T', pages: 3 }, '/title is required; did you mean it by titel?'],
    [{ title: 'T', cover: '\u0100' }, '/cover must be a string of bytes, not "\u0100"'],
    [{ title: 'T', checksum: 'abc' }, '/checksum must be a string of exactly 4 bytes, not "abc"'],
    [{ title: 'T', tags: 'x' }, '/tags must be an array, not "x"'],
    [{ title: 'T', tags: ['x', null] }, '/tags/1 must be a string, not null'],
    [{ title: 'T', properties: { 'a/b~c': 1 } }, '/properties/a~1b~0c must be a string, not 1'],
    [{ title: 'T', properties: { a: null } }, '/properties/a must be a string, not null'],
    [
      { title: 'T', chapters: [{ title: '1' }, { title: '2', sections: [{}] }] },
      '/chapters/1/sections/0/title is required',
    ],
    [
      { title: 'T', origin: 'found' },
      '/origin must be an object with one member (string, com.linkedin.book.Bought, gift), not "found"',
    ],
    [
      { title: 'T', origin: {} },
      '/origin must have exactly one member (string, com.linkedin.book.Bought, gift), not 0',
    ],
    [
      { title: 'T', origin: { string: 'a', gift: 'b' } },
      '/origin must have exactly one member (string, com.linkedin.book.Bought, gift), not 2',
    ],
    [
      { title: 'T', origin: { Urn: 'urn:li:a:b' } },
      '/origin must be one of string, com.linkedin.book.Bought, gift, not "Urn"',
    ],
    [{ title: 'T', origin: { Bought: {} } }, '/origin/com.linkedin.book.Bought/price is required'],
    [{ title: 'T', author: 'me' }, '/author must be a urn, not "me": must start with "urn:"'],
    [{ title: 'T', home: 'urn:li:book:x' }, '/home must be a urn of type shelf, not "urn:li:book:x"'],
    [[], ' must be an object (com.linkedin.book.BookInfo), not an array'],
    [null, ' must be an object (com.linkedin.book.BookInfo), not null'],
  ])('%j', (value, fault) => {
    expect(check(value)).toEqual([fault]);
  });

  test('accepts a typed urn in another case', () => {
    expect(check({ title: 'T', home: 'urn:li:Shelf:x' })).toBe('{"home":"urn:li:Shelf:x","title":"T"}');
  });

  test('answers the first five of many faults', () => {
    expect(check({ title: 'T', tags: [1, 2, 3, 4, 5, 6, 7] })).toHaveLength(5);
  });

  test('rejects an endlessly nested value', () => {
    let chapter: JsonValue = { title: 'T' };
    for (let level = 0; level < 10_000; level++) chapter = { title: 'T', sections: [chapter] };

    expect(check({ title: 'T', chapters: [chapter] })).toEqual([
      expect.stringMatching(/ is nested deeper than 200 levels$/),
    ]);
  });
});

describe('checkAspect, given any value', () => {
  const some = fc.jsonValue() as fc.Arbitrary<JsonValue>;
  const title = fc.string({ unit: 'binary' });
  const { chapter } = fc.letrec<{ chapter: JsonValue }>((tie) => ({
    chapter: fc.oneof(
      { maxDepth: 4 },
      fc.record({ title }),
      fc.record({ title, sections: fc.array(tie('chapter'), { maxLength: 3 }) }),
    ),
  }));
  const book = fc.record(
    {
      title: fc.oneof(fc.string(), some),
      pages: fc.oneof(fc.integer(), some),
      isbn: fc.oneof(fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }), fc.double(), some),
      weight: fc.oneof(fc.double(), some),
      tags: fc.oneof(fc.array(fc.string()), some),
      properties: fc.oneof(fc.dictionary(fc.string(), fc.string()), some),
      origin: fc.oneof(
        fc.record({ string: fc.string() }),
        fc.record({ Bought: fc.record({ price: fc.double() }) }),
        some,
      ),
      chapters: fc.array(chapter, { maxLength: 3 }),
      extra: some,
    },
    { requiredKeys: ['title'] },
  ) as fc.Arbitrary<JsonValue>;

  test('property: it answers for any value, and its canonical values are stable', () => {
    fc.assert(
      fc.property(fc.oneof(book, some), (value) => {
        const checked = checkAspect(registry, registry.aspect('bookInfo') ?? never(), value);
        if ('faults' in checked) expect(checked.faults.length).toBeGreaterThan(0);
        else expect(check(checked.value)).toBe(checked.text);
      }),
    );
  });
});

function never(): never {
  throw new Error('the aspect is there');
}
