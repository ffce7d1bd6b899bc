import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CUSTOMERS, SALES_DAILY, entityPath, pagesForSuite } from '../testing/browser/pages-suite';
import { at } from '../testing/catalog/catalog-client';
import { distributedSettings } from '../testing/catalog/distributed-settings';

const ORDER_LINES = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.order_lines,PROD)';

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

  it('open a table by half a name, and narrow a search by a facet', async () => {
    const page = await suite.open('/ui/');
    await suite.settled();
    await page.keyboard.press('/');
    await page.keyboard.type('sales_da');
    await page.keyboard.press('Enter');
    await heading('SALES_DAILY').waitFor();
    const total = page.locator('[aria-label=Results] p[role=status]');
    await page.goto('/ui/search?q=net+revenue');
    await total.filter({ hasText: '10 results' }).waitFor();
    await page.getByRole('checkbox', { name: /^Sales/ }).check();
    await total.filter({ hasText: '6 results' }).waitFor();
    await page.goBack();
    await total.filter({ hasText: '10 results' }).waitFor();
  });

  it('narrow columns, and say what a change of one reaches', async () => {
    const page = await suite.open(entityPath(CUSTOMERS, '/columns?only=pii'));
    const rows = page.getByRole('region', { name: 'Columns' }).getByRole('row');
    await rows.filter({ hasText: 'full_name' }).waitFor();
    expect(await rows.count()).toBe(3);
    await page.goto(`/ui/lineage/${encodeURIComponent(ORDER_LINES)}?dir=down&hops=4&column=unit_price_cents`);
    const panel = page.getByRole('complementary', { name: 'What it means' });
    await panel.getByRole('heading', { name: 'reaches 5 columns in 5 tables' }).waitFor();
  });

  it('let people edit, and a search finds it at once', async () => {
    const page = await suite.open(entityPath(CUSTOMERS));
    await page.getByRole('button', { name: 'Edit the description' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Known to be quixotic');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved as version 1').waitFor();
    await page.getByLabel('Search the catalog').fill('quixotic');
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('region', { name: 'Results' })
      .getByRole('link', { name: /customers/ })
      .first()
      .waitFor();
  });

  it('follow a task to its end without a reload', async () => {
    const page = await suite.open('/ui/operate/tasks');
    await suite.settled();
    const { json } = await suite.catalog.http.post('/operations?action=rebuildIndices', '{"index":"graph"}');
    const task = at(json, 'value', 'task') as string;
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="/tasks/${task}"]`) });
    await row.getByText('Completed').waitFor();
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
