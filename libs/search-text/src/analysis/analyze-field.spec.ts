import { describe, expect, test } from '@jest/globals';
import type { FieldValue, SearchField, SearchFieldType } from '@stratalog/domain';
import fc from 'fast-check';
import { analyzeField, MAX_WORDS_PER_VALUE } from './analyze-field';
import { exactToken, MAX_TOKEN_LENGTH } from './token';

const field = (type: SearchFieldType, queryByDefault = true): SearchField => ({
  name: 'f',
  type,
  queryByDefault,
  boost: 2,
  autocomplete: false,
  aliases: [],
});

/** Tokens as `a+b c`: those of one position joined by `+`, empty positions as `_`. */
function placesOf(type: SearchFieldType, ...values: readonly FieldValue[]): string {
  const places: string[][] = [];
  for (const { token, position } of analyzeField(field(type), values).tokens)
    (places[position] ??= []).push(token);
  return Array.from(places, (place: string[] | undefined) => place?.join('+') ?? '_')
    .slice(1)
    .join(' ');
}

describe('words of a text', () => {
  test.each([
    ['The Sale', 'the sale'],
    ['running runs run', 'running+Srun runs+Srun run'],
    ['a.b/c:d', 'a b c d'],
    ['dim_sale', 'dimsale+dim sale'],
    ['on-line', 'online+on line'],
    ['saleDay', 'saleday+sale day'],
    ['SaleDay', 'saleday+sale day'],
    ['dim_saleDay', 'dimsaleday+dim saleday+sale day'],
    ['HTTPSink2', 'httpsink2+http sink 2'],
    ['myURLs', 'myurls+Smyurl+my urls+Surl'],
    ['sale2024', 'sale2024+sale 2024'],
    ['v2 s3 k8s 3DModel', 'v2 s3 k8s 3dmodel+3d model'],
    ["the team's don't", 'the team dont+don t'],
    ['  ', ''],
    ['!? & ++', ''],
  ])('given %j, then its positions are %j', (text, places) => {
    expect(placesOf('TEXT', text)).toBe(places);
  });

  test('have the plain spelling in place of accents, wide letters and invisible characters', () => {
    expect(placesOf('TEXT', 'Café Straße ＡＢＣ Łódź foo\u00adbar cafe\u0301')).toBe(
      'cafe strasse+Sstrass abc lodz foobar cafe',
    );
  });

  test('have X and the hex of UTF-8 in place of other letters, ignoring case', () => {
    const hex = (word: string) => `X${Buffer.from(word).toString('hex')}`;
    expect(placesOf('TEXT', 'ПРИВЕТ привет ΟΔΟΣ')).toBe(
      [hex('привет'), hex('привет'), hex('οδοσ')].join(' '),
    );
  });

  test('are the characters of a script without blanks', () => {
    const places = Array.from('顧客データ').map((character) => `X${Buffer.from(character).toString('hex')}`);
    expect(placesOf('TEXT', '顧客データ2024')).toBe([...places, '2024'].join(' '));
  });

  test('are separated by an empty position where they are of several values', () => {
    expect(placesOf('TEXT', 'a b', '!', 'c', 12)).toBe('a b _ c _ 12');
  });

  test('are shortened where one is too long, and keep its beginning', () => {
    const tokens = analyzeField(field('TEXT'), ['Q'.repeat(300), `${'q'.repeat(299)}r`]).tokens.map(
      ({ token }) => token,
    );
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(token).toMatch(/^q{214}Z[0-9a-f]{40}$/);
  });

  test('end at the limit of a value, and continue with the next value', () => {
    const tokens = analyzeField(field('TEXT'), ['a '.repeat(5000), 'b']).tokens;
    expect(tokens).toHaveLength(MAX_WORDS_PER_VALUE + 1);
    expect(tokens.at(-1)?.token).toBe('b');
  });

  test('are each in the field, up to the limit of different ones', () => {
    const values = Array.from({ length: 9_000 }, (_, at) => `same w${String(at)}`);
    const tokens = analyzeField(field('TEXT'), values).tokens;
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(6_000);
  });
});

describe('urn fields', () => {
  const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,sale.day,PROD)';

  test("have the words of a urn's innermost parts, and the value with each part of its id as exact tokens", () => {
    expect(placesOf('URN', dataset)).toBe('hive sale day prod');
    const names = [
      dataset,
      dataset.slice('urn:li:dataset:'.length),
      'urn:li:dataPlatform:hive',
      'sale.day',
      'prod',
      'HIVE',
    ];
    expect(new Set(analyzeField(field('URN'), [dataset]).exact)).toEqual(new Set(names.map(exactToken)));
  });

  test('take another text for one value', () => {
    expect(analyzeField(field('URN_PARTIAL'), ['hive']).exact).toEqual([exactToken('hive')]);
  });
});

describe('exact tokens', () => {
  test('are the values of whole-value fields, ignoring case', () => {
    expect(analyzeField(field('KEYWORD'), ['Ab', 'aB']).exact).toEqual([
      `E${Buffer.from('ab').toString('hex')}`,
    ]);
    expect(analyzeField(field('BROWSE_PATH'), ['/Prod/hive']).exact).toEqual([exactToken('/prod/hive')]);
    expect(analyzeField(field('BOOLEAN'), [true]).exact).toEqual([exactToken('true')]);
    expect(analyzeField(field('COUNT'), [12n, 12]).exact).toEqual([exactToken('12')]);
    expect(analyzeField(field('DOUBLE'), [1.5, '1.50']).exact).toEqual([exactToken('1.5')]);
  });

  test('are hashes of fixed length for long values', () => {
    expect(exactToken('v'.repeat(10_000))).toMatch(/^EH[0-9a-f]{40}$/);
  });

  test('are not made of text', () => {
    expect(analyzeField(field('TEXT'), ['a']).exact).toEqual([]);
  });

  test('leave a number that is not queried by default without words', () => {
    expect(analyzeField(field('COUNT', false), [12]).tokens).toEqual([]);
    expect(analyzeField(field('COUNT', true), [12]).tokens).toEqual([{ token: '12', position: 1 }]);
  });
});

test('property: any values give well-formed tokens in order of position, the same each time', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.bigInt(),
    fc.double(),
  );
  const type = fc.constantFrom<SearchFieldType>(
    'TEXT',
    'KEYWORD',
    'URN',
    'DOUBLE',
    'COUNT',
    'BROWSE_PATH_V2',
  );
  fc.assert(
    fc.property(type, fc.array(value, { maxLength: 5 }), (fieldType, values) => {
      const analyzed = analyzeField(field(fieldType), values);
      expect(analyzeField(field(fieldType), values)).toEqual(analyzed);
      let place = 1;
      for (const { token, position } of analyzed.tokens) {
        expect(position).toBeGreaterThanOrEqual(place);
        place = position;
        expect(token).toMatch(/^(?:[a-z0-9]+(?:Z[0-9a-f]{40})?|S[a-z0-9]+|X[0-9a-f]+(?:Z[0-9a-f]{40})?)$/);
        expect(token.length).toBeLessThanOrEqual(MAX_TOKEN_LENGTH);
      }
      for (const token of analyzed.exact) expect(token).toMatch(/^E(?:[0-9a-f]{0,64}|H[0-9a-f]{40})$/);
      expect(new Set(analyzed.exact).size).toBe(analyzed.exact.length);
    }),
  );
});
