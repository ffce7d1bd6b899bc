import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const LIMIT_MS = 30_000;
const POLL_MS = 50;

/**
 * Does on the pages what people come for: opens a table by half a name, narrows a search, opens what it found, and browses.
 *
 * **Errors**: an `Error` of the step that did not lead where it should; a page that answers nothing is one.
 */
export async function checkPages(page: Page): Promise<void> {
  await page.goto('/ui/');
  await page.locator('main h1').first().waitFor();
  await page.locator('[aria-label="Search the catalog"]').first().fill('mart.sales_da');
  await page.locator('[role=option]', { hasText: 'SALES_DAILY' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'SALES_DAILY' }).waitFor();
  await page.locator('article header', { hasText: 'Sam Whitaker' }).waitFor();

  await page.goto('/ui/search?q=orders');
  const all = await total(page, (count) => count > 1);
  const platform = page.getByRole('group', { name: 'Platform' }).getByRole('checkbox').first();
  await platform.check();
  const some = await total(page, (count) => count < all);
  await page.reload();
  await total(page, (count) => count === some);
  const found = page.locator('[aria-label=Results] ul > li').getByRole('link').first();
  const name = await found.innerText();
  await found.click();
  await page.getByRole('heading', { level: 1, name }).waitFor();

  await page.goto('/ui/browse/platforms');
  await page.locator('main li').getByRole('link').first().click();
  await total(page, (count) => count > 0);
}

/** The number of results, once it is one that was waited for. */
async function total(page: Page, isWanted: (count: number) => boolean): Promise<number> {
  const status = page.locator('[aria-label=Results] p[role=status]');
  const begin = performance.now();
  for (;;) {
    const text = (await status.count()) > 0 ? await status.innerText() : '';
    const count = Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', '') ?? Number.NaN);
    if (isWanted(count)) return count;
    if (performance.now() - begin > LIMIT_MS)
      throw new Error(`Not the number of results that was wanted: ${text}`);
    await pause(POLL_MS);
  }
}
