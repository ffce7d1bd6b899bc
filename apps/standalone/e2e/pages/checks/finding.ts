import { expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { SALES_DAILY, entityPath, type PagesSuite } from '../../testing/browser/pages-suite';
import { at } from '../../testing/catalog/catalog-client';

const ACROSS = '/entities?action=searchAcrossEntities';

export function resultsOf({ page }: PagesSuite): Locator {
  return page.getByRole('region', { name: 'Results' }).locator('ul > li');
}

function totalOf({ page }: PagesSuite): Locator {
  return page.locator('[aria-label=Results] p[role=status]');
}

export async function halfANameOpensTheTable(suite: PagesSuite): Promise<void> {
  const page = await suite.open('/ui/');
  await suite.settled();
  await page.keyboard.press('/');
  await page.keyboard.type('sales_da');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'SALES_DAILY' }).waitFor();
  expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/ui/e/${SALES_DAILY}`);
  await page.locator('h1:focus').waitFor();
  await page.getByRole('link', { name: 'Home', exact: true }).first().click();
  await page.getByRole('link', { name: /SALES_DAILY/ }).waitFor();
}

export async function aFacetNarrowsASearch(suite: PagesSuite): Promise<void> {
  const page = await suite.open('/ui/');
  const total = totalOf(suite);
  await page.getByRole('combobox', { name: 'Search the catalog' }).fill('net revenue');
  await page.keyboard.press('Control+Enter');
  await total.filter({ hasText: '10 results' }).waitFor();
  await page.getByRole('checkbox', { name: /^Sales/ }).check();
  await total.filter({ hasText: '6 results' }).waitFor();
  // A facet counts without its own choice.
  expect(await page.getByRole('group', { name: 'Domain' }).innerText()).toMatch(/Sales\s+6\s+Customers\s+1/);
  await page.reload();
  await total.filter({ hasText: '6 results' }).waitFor();
  await page.goBack();
  await total.filter({ hasText: '10 results' }).waitFor();
}

export async function marksAreThoseOfTheAnswer(suite: PagesSuite): Promise<void> {
  const page = await suite.open('/ui/search?q=net+revenue&type=chart');
  await suite.settled();
  const { json } = await suite.catalog.http.post(
    ACROSS,
    JSON.stringify({
      input: 'net revenue',
      entities: ['chart'],
      start: 0,
      count: 20,
      searchFlags: { fragments: true },
    }),
  );
  const matches = at(json, 'value', 'metadata', 'matches') as {
    matchedFields: { name: string; fragment: { text: string; marks: [number, number][] } }[];
  }[];
  const wanted = matches.map(({ matchedFields }) =>
    matchedFields.flatMap(({ name, fragment: { text, marks } }) =>
      ['title', 'description'].includes(name) ? marks.map(([begin, end]) => text.slice(begin, end)) : [],
    ),
  );
  expect(wanted.flat().length).toBeGreaterThan(4);
  // Name and text; the reasons stand below.
  const shown = await page.evaluate(
    `[...document.querySelectorAll('[aria-label=Results] > ul > li')].map((row) =>
        [...row.querySelectorAll('p')].slice(0, 2).flatMap((each) => [...each.querySelectorAll('mark')].map((mark) => mark.textContent)))`,
  );
  expect(shown).toEqual(wanted);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/ui\/e\//);
}

export async function aSearchSaysWhatItCouldNotFind(suite: PagesSuite): Promise<void> {
  const page = await suite.open('/ui/search?q=ordrs');
  await page.getByText('Showing results for').waitFor();
  expect(await resultsOf(suite).count()).toBeGreaterThan(0);
  await page.goto('/ui/search?q=revenue+xyzzyq+customers');
  await page.getByText('Nothing has all of these words').waitFor();
  await page.goto('/ui/search?q=zzyyqqw&domains=urn:li:domain:sales');
  await page.getByText('Nothing found').waitFor();
  await page.getByRole('link', { name: /Without Domain/ }).click();
  await page.waitForURL((url) => !url.search.includes('domains'));
  await page.getByRole('link', { name: 'Show everything' }).click();
  await totalOf(suite)
    .filter({ hasText: /^\d{3} results/ })
    .waitFor();
}

export async function theMarkerTellsTheLag(suite: PagesSuite): Promise<void> {
  const page = await suite.open('/ui/');
  await page.getByText('Index up to date').waitFor();
  await page.context().route(/action=searchAcrossEntities/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'x-stratalog-lag': '1204' } });
  });
  await page.goto('/ui/search?q=orders');
  await page.getByText('Index 1,204 changes behind').waitFor();
  await page.context().route(/action=searchAcrossEntities/, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"message":"The index is being built"}',
    }),
  );
  await page.goto('/ui/search?q=orders');
  await page.getByText('The index is being built').waitFor();
  await page.goto(entityPath(SALES_DAILY));
  await page.getByRole('heading', { level: 1, name: 'SALES_DAILY' }).waitFor();
  expect(suite.faults.splice(0)).toEqual(expect.arrayContaining([expect.stringContaining('503')]));
}
