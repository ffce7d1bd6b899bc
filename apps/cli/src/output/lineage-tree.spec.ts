import { expect, it } from '@jest/globals';
import { formatLineage, parseLineage } from './lineage-tree';

const urn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.${name},PROD)`;

it('where urns do not fit the width, names take their place', () => {
  const relationships = [
    { entity: urn('raw'), type: 'DownstreamOf', path: [urn('sales'), urn('raw')] },
    { entity: urn('log'), type: 'DownstreamOf', path: [urn('sales'), urn('raw'), urn('log')] },
  ];
  const page = parseLineage({ value: { relationships, total: 2 } });
  expect(formatLineage(page)).toContain(`\n  ${urn('raw')}    DownstreamOf\n`);
  expect(formatLineage(page, 60)).toBe(`shop.sales (dataset, snowflake)
  shop.raw (dataset, snowflake)    DownstreamOf
    shop.log (dataset, snowflake)  DownstreamOf
`);
});
