import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { launchBrowser, openPage } from '../testing/browser/browser';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const ROOT = join(import.meta.dirname, '../../../..');
const SCRIPT = `
  import { ApiClient } from '@stratalog/client';
  const client = new ApiClient({ server: '' });
  const query = { entity: 'dataset', input: 'rivers', start: 0, count: 10 };
  globalThis.found = client.call('POST /entities?action=search', query).then(({ answer }) => answer.entities);
  globalThis.rejected = client.call('GET /aspects/:urn', { urn: 'urn:li:dataset:rivers', aspect: 'x' }).catch(({ name }) => name);
`;
const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,rivers,PROD)';

describe('the typed client on a page of the catalog', () => {
  const catalog = catalogForSuite();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('calls the catalog that served the page', async () => {
    await catalog.http.write(URN, 'datasetProperties', { description: 'rivers' });
    const { outputFiles } = await build({
      stdin: { contents: SCRIPT, resolveDir: ROOT },
      tsconfig: join(ROOT, 'tsconfig.base.json'),
      platform: 'browser',
      bundle: true,
      write: false,
    });
    const { page, faults } = await openPage(browser, catalog.url);
    await page.goto('/restli/docs');
    await page.evaluate(outputFiles[0]?.text ?? '');
    expect(await page.evaluate('found')).toEqual([expect.objectContaining({ entity: URN })]);
    expect(await page.evaluate('rejected')).toBe('CallRejectedError');
    expect(faults.filter((fault) => !fault.includes('status of 4'))).toEqual([]);
    await page.context().close();
  });
});
