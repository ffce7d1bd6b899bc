import { describe, expect, it } from '@jest/globals';
import { at } from '../testing/catalog/catalog-client';
import { CUSTOMERS, pagesForSuite } from '../testing/browser/pages-suite';
import {
  aFacetNarrowsASearch,
  aSearchSaysWhatItCouldNotFind,
  halfANameOpensTheTable,
  marksAreThoseOfTheAnswer,
  resultsOf,
  theMarkerTellsTheLag,
} from './checks/finding';

describe('finding on the web pages', () => {
  const suite = pagesForSuite({ hasDemo: true });

  it('a part of a name and Enter open the entity', () => halfANameOpensTheTable(suite));

  it('home leads to a domain, and says what changed this week', async () => {
    await suite.catalog.http.write(CUSTOMERS, 'institutionalMemory', { elements: [] });
    const page = await suite.open('/ui/');
    const changed = page.locator('section', { hasText: 'Changed this week' }).last();
    await changed.locator('li', { hasText: /wrote institutional memory/ }).waitFor();
    await changed.getByRole('link', { name: /customers$/ }).waitFor();
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Customers/ })
      .click();
    await page.waitForURL(/\/ui\/domains\/urn:li:domain:/);
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  });

  it('home names what one owns', async () => {
    const { http } = suite.catalog;
    const owner = at((await http.get('/session')).json, 'actor') as string;
    const owned = 'urn:li:dataset:(urn:li:dataPlatform:hive,owned_by_me,PROD)';
    const page = await suite.open('/ui/');
    await page.getByRole('button', { name: 'I own' }).click();
    await page.getByText('No entity names you as its owner.').waitFor();
    await http.write(owned, 'ownership', { owners: [{ owner, type: 'DATAOWNER' }] });
    await http.caughtUp();
    await page.reload();
    await page.getByRole('button', { name: 'I own' }).click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /owned_by_me/ })
      .first()
      .waitFor();
  });

  it('the arrows move among results, and l opens the lineage of one', async () => {
    const page = await suite.open('/ui/search?q=sales_daily');
    await suite.settled();
    const first = await resultsOf(suite).first().getByRole('link').first().getAttribute('href');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('l');
    await page.waitForURL(/\/ui\/lineage\//);
    expect(new URL(page.url()).pathname).toBe(first?.replace('/ui/e/', '/ui/lineage/'));
  });

  it('the dialog of Ctrl-K suggests entities and runs commands, and gives the focus back', async () => {
    const page = await suite.open('/ui/search');
    await suite.settled();
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Search and commands' });
    await dialog.getByRole('combobox').fill('sales_da');
    await dialog.getByRole('option', { name: /^SALES_DAILY/ }).waitFor();
    expect(await dialog.getByRole('option').allInnerTexts()).toEqual([
      expect.stringContaining('SALES_DAILY'),
      expect.stringContaining('History of SALES_DAILY'),
      expect.stringContaining('All results for sales_da'),
    ]);
    await dialog.getByRole('combobox').fill('> dark');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.reload();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('a search narrows by a facet, and its address keeps the choice', () => aFacetNarrowsASearch(suite));

  it('the marks of a result are those of the answer', () => marksAreThoseOfTheAnswer(suite));

  it('another spelling, fewer words and no result each say so', () => aSearchSaysWhatItCouldNotFind(suite));

  it('the place of a result is explained on request', async () => {
    const page = await suite.open('/ui/search?q=sales_daily');
    await suite.settled();
    await resultsOf(suite).first().hover();
    await page.getByRole('button', { name: 'Why here?' }).first().click();
    await page.getByText(/^Number 1 of \d+/).waitFor();
  });

  it('the changes of the whole catalog narrow by type, actor and day, and the address keeps it', async () => {
    const { json } = await suite.catalog.http.get('/changes?types=dashboard&count=1');
    const by = at(json, 'changes', '0', 'actor') as string;
    const page = await suite.open('/ui/');
    await page.getByRole('link', { name: 'All changes' }).click();
    const deeds = page.getByRole('main').getByRole('listitem');
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.getByLabel('Type').selectOption('dashboard');
    await page.waitForURL(/type=dashboard/);
    await deeds.first().waitFor();
    expect(await deeds.locator('a[href*="/e/"][href*="li%3Adataset"], a[href*="li:dataset:"]').count()).toBe(
      0,
    );
    const picker = page.getByRole('combobox', { name: 'By', exact: true });
    await picker.fill('sam w');
    await page.getByRole('option', { name: /^Sam Whitaker/ }).click();
    await page.waitForURL(/by=.+sam/);
    await page.getByText('No such changes').waitFor();
    await page.getByRole('button', { name: 'By anybody' }).click();
    await deeds.first().waitFor();
    await picker.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('by') === by);
    await deeds.first().waitFor();
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.waitForURL(/to=2020-01-01/);
    await page.getByText('No such changes').waitFor();
    await page.reload();
    expect(await page.getByLabel('Type').inputValue()).toBe('dashboard');
    expect(new URL(page.url()).searchParams.get('by')).toBe(by);
  });

  it('the marker says how far the index is behind, and an entity opens without search', () =>
    theMarkerTellsTheLag(suite));
});
