import { expect, test } from '@jest/globals';
import type { SearchFieldType } from '@stratalog/domain';
import { createHash } from 'node:crypto';
import { ANALYSIS_VERSION } from './analysis-version';
import { analyzeField } from './analyze-field';
import { boundTokens } from './bound-tokens';
import { toFilterKeys } from './filter-keys';
import { analyzeNames } from '../ranking/names';

/** One fingerprint of the sample's tokens per published version. */
const FINGERPRINTS: Readonly<Record<string, string>> = {
  '1': '1e63a34716f575d6fdd4633a5eb379d1d1e0a955',
  '2': '18a031d425c03ea547c1f2527f134a50ef622817',
  '3': '3db450fea18210773b6df06077e3edb56538eaf8',
  '4': 'ebdb5fcd8f5bfaa14635b71dbd9178ae57926681',
  '5': '961307aa54734af99db0cec6b9a0d0a274723d65',
  '6': '44d046173e0e08461c4c24ccad6a2893565aca7d',
};

/** All Latin letters beyond ASCII: a release of the table that folds one differently needs another version too. */
const LATIN_LETTERS = Array.from({ length: 0x1e000 - 0x80 }, (_, at) =>
  String.fromCodePoint(0x80 + at),
).filter((letter) => /\p{Script=Latin}/u.test(letter));

const SAMPLE: readonly (readonly [SearchFieldType, readonly (string | number | boolean)[]])[] = [
  [
    'WORD_GRAM',
    ['dim_customerOrders', 'HTTPServer2', 'customers', 'sales.daily_orders-v2', 'k8s myURLs 3DModel'],
  ],
  ['TEXT', ["The team's daily running totals, don't edit.", 'owner=Finance & Risk', 'Q'.repeat(400)]],
  ['TEXT', LATIN_LETTERS],
  ['TEXT_PARTIAL', ['Café Straße Łódź', 'Привет МИР', '顧客データ2024', 'ภาษาไทย', '한국어 데이터']],
  ['URN', ['urn:li:dataset:(urn:li:dataPlatform:hive,sales.daily_orders,PROD)', 'urn:li:tag:Legacy', 'none']],
  ['KEYWORD', ['https://example.com/a?b=(c)', 'PII']],
  ['BROWSE_PATH', ['/prod/hive/sales']],
  ['DOUBLE', [1.5, '2.50']],
  ['COUNT', [42, '007']],
  ['BOOLEAN', [true]],
  [
    'TEXT',
    Array.from({ length: 80 }, (_, at) => `[version=2.0].[type=Row].after.[type=string].a_c${String(at)}`),
  ],
];

const NAMES = ['customers', 'dim_customerOrders', 'shop.sales.the_orders.v2', 's3://lake/sales/2024', ''];

test('the version must change when the tokens are others than those of the published one', () => {
  const fields = SAMPLE.map(([type, values], at) => {
    const name = `f${String(at)}`;
    return analyzeField(
      { name, type, queryByDefault: true, boost: at, autocomplete: at % 2 === 0, aliases: [] },
      values,
    );
  });
  const fingerprint = createHash('sha1')
    .update(JSON.stringify(boundTokens(fields)))
    .update(JSON.stringify(analyzeNames(NAMES)))
    .update(
      JSON.stringify(
        toFilterKeys(new Map(SAMPLE.map(([, values], at) => [`f${String(at)}`, values])), new Map()),
      ),
    )
    .digest('hex');
  expect(fingerprint).toBe(FINGERPRINTS[ANALYSIS_VERSION]);
});
