import { describe, expect, it } from '@jest/globals';
import { parseSearchPage } from './search-page';
import { formatSearch } from './search-text';

const matched = { matchedFields: [{ name: 'name', value: 'orders' }] };
const ofTypes = { name: '_entityType', aggregations: { dataset: 4 } };
const facet = { name: 'platform', aggregations: { kafka: 1, snowflake: 3 } };
const asPlainUrns = {
  value: {
    numEntities: 12,
    entities: ['urn:li:tag:a', 'urn:li:tag:longer'],
    metadata: { matches: [matched, { matchedFields: [] }], searchResultMetadatas: [facet, ofTypes] },
  },
};
const asObjects = {
  value: {
    numEntities: 12,
    entities: [
      { entity: 'urn:li:tag:a', ...matched },
      { entity: 'urn:li:tag:longer', matchedFields: [] },
    ],
    metadata: { aggregations: [facet] },
  },
};

describe('a page of a search', () => {
  it.each([asPlainUrns, asObjects])('is read from both versions of the shape', (body) => {
    expect(formatSearch(parseSearchPage(body), { entity: 'tag', start: 10 })).toBe(
      [
        'tag: 12 found, 11 to 12',
        '  urn:li:tag:a       name: orders',
        '  urn:li:tag:longer',
        '  by platform: snowflake 3, kafka 1',
        '',
      ].join('\n'),
    );
  });

  it('fits the screen', () => {
    const text = formatSearch(parseSearchPage(asObjects), { entity: 'tag', start: 0, width: 32 });
    expect(text).toContain('  urn:li:tag:a       name: orde…\n');
  });

  it('names a field once, with the number of its other matching values', () => {
    const matchedFields = [
      { name: 'fieldPaths', value: 'order_id' },
      { name: 'name', value: 'orders' },
      { name: 'fieldPaths', value: 'order_state' },
    ];
    const body = { value: { numEntities: 1, entities: [{ entity: 'u', matchedFields }] } };
    const text = formatSearch(parseSearchPage(body), { entity: 'tag', start: 0 });
    expect(text).toContain('  u  fieldPaths: order_id (+1); name: orders\n');
  });

  it('shows no control characters', () => {
    const matchedFields = [{ name: 'na\u001bme', value: 'or\u009bders\u202e' }];
    const body = {
      value: {
        numEntities: 1,
        entities: [{ entity: 'urn:li:tag:a\u001b]0;x\u0007\nb', matchedFields }],
        metadata: { aggregations: [{ name: 'plat\u001bform', aggregations: { 'k\nafka': 1 } }] },
      },
    };
    expect(formatSearch(parseSearchPage(body), { entity: 't\u001bag', start: 0 })).toBe(
      [
        't\ufffdag: 1 found, 1 to 1',
        '  urn:li:tag:a\ufffd]0;x\ufffd b  na\ufffdme: or\ufffdders\ufffd',
        '  by plat\ufffdform: k afka 1',
        '',
      ].join('\n'),
    );
  });

  it('of an answer without hits is one line', () => {
    const text = formatSearch(parseSearchPage({ value: { numEntities: 0 } }), { entity: 'tag', start: 0 });
    expect(text).toBe('tag: 0 found\n');
  });
});
