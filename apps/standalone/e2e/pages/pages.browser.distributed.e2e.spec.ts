import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SALES_DAILY, entityPath, pagesForSuite } from '../testing/browser/pages-suite';
import { distributedSettings } from '../testing/catalog/distributed-settings';

describe('the web pages of a distributed catalog, through its proxy', () => {
  const suite = pagesForSuite({
    hasDemo: true,
    isProxied: true,
    environment: {
      ...distributedSettings(`t${randomBytes(4).toString('hex')}`),
      STRATALOG_AUTH: 'none',
      STRATALOG_TOKEN: 'the-token-of-the-operator',
    },
  });
  const heading = (name: string) => suite.page.getByRole('heading', { level: 1, name });

  it('lead from home by a search to an entity', async () => {
    const page = await suite.open('/');
    await page.waitForURL(/\/ui\/$/);
    await suite.settled();
    await page.keyboard.press('/');
    await page.keyboard.type('net revenue');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/ui\/search\?q=net/);
    await page
      .getByRole('region', { name: 'Results' })
      .getByRole('link', { name: /SALES_DAILY/ })
      .first()
      .click();
    await heading('SALES_DAILY').waitFor();
    expect(await page.locator('article header').innerText()).toContain('Analytics');
  });

  it('show an entity as it is, and as it was before it was written', async () => {
    const { http } = suite.catalog;
    const describeAs = (description: string) =>
      http.write(SALES_DAILY, 'editableDatasetProperties', { description });
    await describeAs('What was sold until yesterday');
    const between = new Date().toISOString();
    await describeAs('What was sold until today');
    const page = await suite.open(entityPath(SALES_DAILY));
    await page.getByText('What was sold until today').first().waitFor();
    await page.goto(entityPath(SALES_DAILY, `?at=${encodeURIComponent(between)}`));
    await page.getByText('What was sold until yesterday').first().waitFor();
    expect(await page.getByRole('region', { name: 'Time' }).innerText()).toContain('As of');
  });

  it('draw the lineage of a table', async () => {
    const page = await suite.open(`/ui/lineage/${encodeURIComponent(SALES_DAILY)}`);
    const picture = page.locator('[aria-label="Picture of the lineage"]');
    await picture.getByRole('link', { name: /FCT_ORDER_LINE/ }).waitFor();
  });

  it('show operators the health of the apps', async () => {
    const page = await suite.open('/ui/operate/health');
    await heading('Health').waitFor();
    for (const app of ['ingest', 'query', 'graph', 'admin'])
      await page.getByRole('main').getByText(app, { exact: true }).first().waitFor();
  });
});
