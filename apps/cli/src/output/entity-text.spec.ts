import { expect, it } from '@jest/globals';
import { formatEntity } from './entity-text';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';

it('an entity is printed with times as dates, its columns as a table, and without empty members', () => {
  const aspects = {
    datasetKey: { value: { name: 'shop.orders' } },
    status: { value: { removed: false } },
    schemaMetadata: {
      value: {
        schemaName: 'orders',
        created: { time: 0, actor: 'urn:li:corpuser:unknown' },
        lastModified: { time: 1_764_000_000_000, actor: 'urn:li:corpuser:ann' },
        fields: [
          { fieldPath: 'id', nativeDataType: 'bigint', description: 'Number of the order' },
          { fieldPath: 'placed', nativeDataType: 'timestamp' },
        ],
      },
    },
    globalTags: { value: { tags: [{ tag: 'urn:li:tag:pii' }] } },
  };
  expect(formatEntity(URN, aspects)).toBe(`shop.orders
dataset on hive
${URN}

status
  removed: false

schemaMetadata
  schemaName: orders
  lastModified:
    time: 2025-11-24T16:00:00.000Z
    actor: urn:li:corpuser:ann
  column  type       description
  id      bigint     Number of the order
  placed  timestamp

globalTags
  tags:
    -
      tag: urn:li:tag:pii
`);
});

it('long lines are cut at the width, and control characters are not printed', () => {
  const aspects = { datasetProperties: { value: { qualifiedName: `a\u001b${'b'.repeat(100)}` } } };
  const lines = formatEntity(URN, aspects, 40).split('\n');
  expect(lines.at(-2)).toBe(`  qualifiedName: a\ufffd${'b'.repeat(20)}…`);
});
