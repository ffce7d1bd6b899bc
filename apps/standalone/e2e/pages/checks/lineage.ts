import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { SALES_DAILY, type PagesSuite } from '../../testing/browser/pages-suite';

export const ORDER_LINES = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.order_lines,PROD)';
export const FCT_ORDER_LINE =
  'urn:li:dataset:(urn:li:dataPlatform:snowflake,brightspoke.core.fct_order_line,PROD)';

export function lineagePath(urn: string, query = ''): string {
  return `/ui/lineage/${encodeURIComponent(urn)}${query}`;
}

export function nodeOf({ page }: PagesSuite, urn: string): Locator {
  return page.locator(`[data-node="${urn}"]`);
}

/** Reads from each element of the page that a selector finds. */
export function readAll<Value>(
  { page }: PagesSuite,
  selector: string,
  read: string,
): Promise<readonly Value[]> {
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => ${read})`);
}

/** Where each node stands on the canvas, whatever part of it is in view. */
async function placesOn(suite: PagesSuite): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(
    await readAll<readonly [string, string]>(
      suite,
      '.react-flow__node',
      '[each.dataset.id, each.style.transform]',
    ),
  );
}

export async function aColumnSaysWhatItReaches(suite: PagesSuite): Promise<void> {
  const page = await suite.open(lineagePath(ORDER_LINES, '?dir=down&hops=4'));
  await nodeOf(suite, ORDER_LINES).getByRole('button', { name: 'unit_price_cents' }).click();
  await page.waitForURL(/column=unit_price_cents/);
  const panel = page.getByRole('complementary', { name: 'What it means' });
  await panel.getByRole('heading', { name: 'reaches 5 columns in 5 tables' }).waitFor();
  expect(await panel.locator('ul').first().locator('li').first().innerText()).toMatch(/Analytics\s*4 tables/);
  await panel.getByText('8 charts and dashboards').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.getByRole('button', { name: 'Copy as a message' }).click();
  await panel.getByText('Copied').waitFor();
  const message = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(message).toContain('unit_price_cents in order_lines reaches 5 columns in 5 tables');
  expect(message).toContain(`/ui/e/${encodeURIComponent(SALES_DAILY)}`);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  const [head, ...rows] = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect([head, rows.length]).toEqual(['name,type,hops,urn,path', 5]);
  expect(rows.join('\n')).toContain(`"${SALES_DAILY}"`);
}

export async function openingANodeMovesNone(suite: PagesSuite): Promise<void> {
  const page = await suite.open(lineagePath(ORDER_LINES, '?dir=down&hops=2'));
  await nodeOf(suite, FCT_ORDER_LINE).waitFor();
  const before = await placesOn(suite);
  expect(Object.keys(before)).not.toContain(SALES_DAILY);
  await nodeOf(suite, FCT_ORDER_LINE)
    .getByRole('button', { name: /more that depend on/ })
    .click();
  await nodeOf(suite, SALES_DAILY).waitFor();
  const after = await placesOn(suite);
  expect(after).toMatchObject(before);
  expect(Object.keys(after).length).toBeGreaterThan(Object.keys(before).length);
  await page.reload();
  await nodeOf(suite, SALES_DAILY).waitFor();
  expect(await placesOn(suite)).toEqual(after);
  await page.goBack();
  await nodeOf(suite, SALES_DAILY).waitFor({ state: 'detached' });
}

export async function theKeyboardReachesAFarTable(suite: PagesSuite): Promise<void> {
  const page = await suite.open(lineagePath(ORDER_LINES, '?dir=down&hops=3'));
  await nodeOf(suite, SALES_DAILY).waitFor();
  await page.locator(`[data-node="${ORDER_LINES}"] > a`).focus();
  const focused = () => page.evaluate<string>('document.activeElement.closest("[data-node]")?.dataset.node');
  const walkTo = async (urn: string, keys: readonly string[]): Promise<void> => {
    for (const key of keys) if ((await focused()) !== urn) await page.keyboard.press(key);
    expect(await focused()).toBe(urn);
  };
  await walkTo(FCT_ORDER_LINE, [
    'ArrowRight',
    'ArrowRight',
    'ArrowDown',
    'ArrowDown',
    'ArrowUp',
    'ArrowUp',
    'ArrowUp',
  ]);
  await walkTo(SALES_DAILY, [
    'ArrowRight',
    'ArrowDown',
    'ArrowDown',
    'ArrowDown',
    'ArrowUp',
    'ArrowUp',
    'ArrowUp',
    'ArrowUp',
  ]);
  const shown = Object.keys(await placesOn(suite)).filter((urn) => !urn.startsWith('fold:'));
  await page.getByRole('button', { name: 'List', exact: true }).click();
  await page.getByRole('heading', { name: '3 hops' }).waitFor();
  const listed = await readAll<string>(
    suite,
    'section[aria-label="List of the lineage"] a',
    'decodeURIComponent(each.href)',
  );
  for (const urn of shown) expect(listed.some((href) => href.includes(urn))).toBe(true);
  await page.goBack();
  await page.locator(`[data-node="${SALES_DAILY}"] > a`).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'SALES_DAILY' }).waitFor();
}
