import { describe, expect, it } from '@jest/globals';
import { toCard, type EntityCard } from './entity-card';
import { searchAnswer } from '../testing/search-answer';
import { toSearchPage } from './search-page';
import { formatSearch } from './search-text';

const matched = { matchedFields: [{ name: 'name', value: 'orders' }] };
const searchResultMetadatas = [
  { name: 'platform', aggregations: { kafka: 1, snowflake: 3 } },
  { name: '_entityType', aggregations: { dataset: 4 } },
];
const asPlainUrns = searchAnswer(['urn:li:tag:a', 'urn:li:tag:longer'], {
  numEntities: 12,
  metadata: { matches: [matched, { matchedFields: [] }], searchResultMetadatas },
});
const asObjects = searchAnswer(
  [
    { entity: 'urn:li:tag:a', ...matched, score: 2 },
    { entity: 'urn:li:tag:longer', matchedFields: [], score: 1 },
  ],
  { numEntities: 12, metadata: { searchResultMetadatas } },
);

const OPTIONS = { input: 'orders', entities: ['tag'], start: 0, cards: new Map<string, EntityCard>() };

describe('a page of a search', () => {
  it.each([asPlainUrns, asObjects])('is read from both versions of the shape', (answer) => {
    expect(formatSearch(toSearchPage(answer), { ...OPTIONS, start: 10 })).toBe(
      [
        'tag: 12 found, 11 to 12',
        '  a       tag  name: orders',
        '    urn:li:tag:a',
        '  longer  tag',
        '    urn:li:tag:longer',
        '  by platform: snowflake 3, kafka 1',
        '  by type: dataset 4',
        '',
      ].join('\n'),
    );
  });

  it('fits the screen', () => {
    const text = formatSearch(toSearchPage(asObjects), { ...OPTIONS, width: 32 });
    expect(text).toContain('  a       tag  name: orders\n');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(32);
  });

  it('names a field once, with the number of its other matching values', () => {
    const matchedFields = [
      { name: 'fieldPaths', value: 'order_id' },
      { name: 'name', value: 'orders' },
      { name: 'fieldPaths', value: 'order_state' },
    ];
    const answer = searchAnswer([{ entity: 'u', matchedFields, score: 1 }]);
    const text = formatSearch(toSearchPage(answer), OPTIONS);
    expect(text).toContain('fieldPaths: order_id (+1); name: orders\n');
  });

  it('shows no control characters', () => {
    const matchedFields = [{ name: 'na\u001bme', value: 'or\u009bders\u202e' }];
    const answer = searchAnswer([{ entity: 'urn:li:tag:a\u001b]0;x\u0007\nb', matchedFields, score: 1 }], {
      metadata: { searchResultMetadatas: [{ name: 'plat\u001bform', aggregations: { 'k\nafka': 1 } }] },
    });
    expect(formatSearch(toSearchPage(answer), { ...OPTIONS, entities: ['t\u001bag'] })).toBe(
      [
        't\ufffdag: 1 found, 1 to 1',
        '  a\ufffd]0;x\ufffd b  tag  na\ufffdme: or\ufffdders\ufffd',
        '    urn:li:tag:a\ufffd]0;x\ufffd b',
        '  by plat\ufffdform: k afka 1',
        '',
      ].join('\n'),
    );
  });

  it('shows the name, the kind and the description of a hit', () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
    const aspects = {
      datasetProperties: { value: { name: 'Orders', description: 'All orders,\none a row' } },
      editableDatasetProperties: { value: { description: '' } },
    };
    const text = formatSearch(toSearchPage(searchAnswer([urn])), {
      ...OPTIONS,
      entities: [],
      cards: new Map([[urn, toCard(urn, aspects)]]),
    });
    expect(text).toBe(
      ['1 found, 1 to 1', '  Orders  dataset, hive  All orders, one a row', `    ${urn}`, ''].join('\n'),
    );
  });

  it('says what the results are for when nothing matches the text', () => {
    const metadata = { fallback: 'similarWords', suggestions: [{ text: 'orders' }] };
    const answer = searchAnswer(['urn:li:tag:a'], { metadata });
    const text = formatSearch(toSearchPage(answer), { ...OPTIONS, input: 'ordrs' });
    expect(text).toMatch(/^nothing matches "ordrs"; showing results for "orders"\ntag: 1 found/);
  });

  it('a page of a search of an answer without hits is empty', () => {
    expect(formatSearch(toSearchPage(searchAnswer([])), OPTIONS)).toBe('');
  });
});
