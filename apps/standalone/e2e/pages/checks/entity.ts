import { expect } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { CUSTOMERS, SALES_DAILY, entityPath, type PagesSuite } from '../../testing/browser/pages-suite';

/** Of the type that `SENSOR_MODEL` adds. */
const SENSOR = 'urn:li:sensor:T/800 %41?#';
const RIVERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,rivers,PROD)';

export function tabOf({ page }: PagesSuite, name: string): Locator {
  return page.getByRole('navigation', { name: 'About this entity' }).getByText(name);
}

export async function theHeaderAnswers(suite: PagesSuite): Promise<void> {
  const page = await suite.open(entityPath(SALES_DAILY));
  await suite.settled();
  const header = await page.locator('article header').innerText();
  for (const text of [
    'SALES_DAILY',
    'Analytics',
    'Sam Whitaker',
    'Sales',
    'Loaded',
    '4 entities',
    'Certified',
    '2 promises',
  ])
    expect(header).toContain(text);
  await page.getByText('Where it comes from, where it goes').waitFor();
  await page.getByRole('region', { name: 'First columns' }).getByText('net_revenue_eur').waitFor();
  await page.getByRole('link', { name: 'Show all 7' }).waitFor();
  await page.getByRole('link', { name: /FCT_ORDER_LINE/ }).click();
  await page.getByRole('heading', { level: 1, name: 'FCT_ORDER_LINE' }).waitFor();
}

export async function columnsNarrow(suite: PagesSuite): Promise<void> {
  const page = await suite.open(entityPath(CUSTOMERS, '/columns'));
  const names = () => page.locator('table tbody th').allInnerTexts();
  const shown = page.getByRole('navigation', { name: 'About this entity' }).locator('[aria-current]');
  await shown.waitFor();
  expect(await shown.allInnerTexts()).toEqual([expect.stringMatching(/^Columns\s6$/)]);
  await page.getByRole('link', { name: 'PII 2' }).click();
  await page.waitForURL(/only=pii/);
  expect(await names()).toEqual(['email', 'full_name']);
  await page.reload();
  await page.getByRole('link', { name: 'email', exact: true }).click();
  const panel = page.getByRole('complementary', { name: 'Column email' });
  await panel.getByText('CUSTOMERS').waitFor();
  expect(await panel.innerText()).toContain('varchar(254), never empty');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.goto(entityPath(CUSTOMERS, '/columns?only=pii'));
  await page.getByLabel('Filter the columns').fill('parcel');
  await page.waitForURL(/filter=parcel/);
  expect(await names()).toEqual(['full_name']);
}

export async function historyShowsTwoWrites(suite: PagesSuite): Promise<void> {
  const { http } = suite.catalog;
  await http.write(RIVERS, 'datasetProperties', { description: 'Rivers of the north' });
  await http.write(RIVERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:pii' }] });
  const { json } = await http.entity(RIVERS, '/timeline');
  const [{ time }] = (json as unknown as { changes: [{ time: number }] }).changes;
  await http.write(RIVERS, 'datasetProperties', { description: 'Rivers of the south' });
  const page = await suite.open(entityPath(RIVERS, '/history'));
  const change = page.getByRole('region', { name: 'The chosen change' });
  await change.getByText('Changed').waitFor();
  expect(await change.locator('del, ins').allInnerTexts()).toEqual(['north', 'south']);
  await page.getByRole('link', { name: 'Global tags written for the first time' }).click();
  await change.getByText('Global tags, version 1').waitFor();
  await page.goto(entityPath(RIVERS, `?at=${new Date(time).toISOString()}`));
  await page.getByText('Rivers of the north').waitFor();
  expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
  const rail = page.getByRole('region', { name: 'Time' });
  expect(await rail.innerText()).toContain('As of');
  await tabOf(suite, 'JSON').click();
  await page.waitForURL(/json\?at=/);
  await rail.getByRole('button', { name: 'Back to now' }).click();
  await tabOf(suite, 'Overview').click();
  await page.getByText('Rivers of the south').waitFor();
}

/** Needs `SENSOR_MODEL` among the catalog's models. */
export async function aTypeOfAUsersOwnHasAPage(suite: PagesSuite): Promise<void> {
  await suite.catalog.http.write(SENSOR, 'sensorInfo', { place: 'attic', feeds: CUSTOMERS });
  const page = await suite.open(entityPath(SENSOR));
  await page.getByText('Sensor info').first().waitFor();
  expect(await page.locator('article').innerText()).toMatch(/Feeds\s+shop.public.customers\s+Place\s+attic/);
  expect(await page.getByRole('navigation', { name: 'About this entity' }).innerText()).not.toContain(
    'Columns',
  );
  await tabOf(suite, 'History').click();
  await page.getByText('Sensor info written for the first time').waitFor();
  await tabOf(suite, 'JSON').click();
  await page.getByRole('heading', { name: /^sensorInfo/ }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: /^sensorInfo/ }).waitFor();
}
