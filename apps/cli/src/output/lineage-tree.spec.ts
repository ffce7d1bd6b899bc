import { expect, it } from '@jest/globals';
import { formatLineage, toLineagePage } from './lineage-tree';

const HOP = { explored: true, createdOn: 0, updatedOn: 0 };
const urn = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.${name},PROD)`;

it('where urns do not fit the width, names take their place', () => {
  const toStep = (...names: readonly string[]) => {
    const path = names.map(urn);
    return {
      entity: path.at(-1) ?? '',
      type: 'DownstreamOf',
      degree: names.length - 1,
      path,
      paths: [path],
      ...HOP,
    };
  };
  const relationships = [toStep('sales', 'raw'), toStep('sales', 'raw', 'log')];
  const page = toLineagePage({ start: 0, count: 2, total: 2, relationships });
  expect(formatLineage(page)).toContain(`\n  ${urn('raw')}    DownstreamOf\n`);
  expect(formatLineage(page, 60)).toBe(`shop.sales (dataset, snowflake)
  shop.raw (dataset, snowflake)    DownstreamOf
    shop.log (dataset, snowflake)  DownstreamOf
`);
});
