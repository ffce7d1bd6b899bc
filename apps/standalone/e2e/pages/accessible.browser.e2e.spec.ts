import { describe, expect, it } from '@jest/globals';
import { allFindings, overflow } from '../testing/browser/browser';
import { CUSTOMERS, SALES_DAILY, entityPath, pagesForSuite } from '../testing/browser/pages-suite';

const PAGES = [
  '/ui/',
  '/ui/search?q=net+revenue&domains=urn:li:domain:sales',
  '/ui/search?q=zzyyqqw',
  entityPath(SALES_DAILY),
  entityPath(CUSTOMERS, '/columns?column=email'),
  entityPath(SALES_DAILY, '/history'),
  entityPath(SALES_DAILY, '/quality'),
  entityPath(SALES_DAILY, '/usage'),
  entityPath(SALES_DAILY, '/relations'),
  entityPath(SALES_DAILY, '/json'),
  '/ui/sign-in',
];
/** Each scheme and each width, and the middle one in the dark. */
const SCREENS = [
  ['a desk, light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['a desk, dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['a tablet, dark', { viewport: { width: 900, height: 1200 }, colorScheme: 'dark' }],
  ['a phone, light', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
  ['a phone, dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const;

describe('the web pages for everybody', () => {
  const suite = pagesForSuite({ hasDemo: true });

  it.each(SCREENS)('axe finds nothing, and nothing overflows, on %s', async (_name, options) => {
    const page = await suite.open('/ui/', options);
    const past = entityPath(SALES_DAILY, `?at=${new Date().toISOString()}`);
    const faults: unknown[] = [];
    for (const path of [...PAGES, past]) {
      await page.goto(path);
      await suite.settled();
      const found = [await overflow(page), ...(await allFindings(page))];
      if (found.length > 1 || found[0] !== 0) faults.push([path, found]);
    }
    expect(faults).toEqual([]);
  });

  it('pages fit into 320 pixels', async () => {
    const page = await suite.open('/ui/', { viewport: { width: 320, height: 640 } });
    for (const path of PAGES) {
      await page.goto(path);
      await suite.settled();
      expect([path, await overflow(page)]).toEqual([path, 0]);
    }
  });

  it('dialogs and menus are accessible, and work by the keyboard', async () => {
    const page = await suite.open(entityPath(SALES_DAILY));
    await suite.settled();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await allFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Account and appearance' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    expect(await allFindings(page)).toEqual([]);
    await page.keyboard.press('Enter');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Account and appearance',
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sales');
    await page.getByRole('option').first().waitFor();
    expect(await allFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('slider', { name: 'Show the page as of a day' }).focus();
    await page.keyboard.press('Home');
    await page.waitForURL(/at=/);
    await page.getByText('Nothing was written about this entity at that time').waitFor();
    await page.getByText('Not known for this time').first().waitFor();
    // Lineage has no past before the catalog itself.
    expect(suite.faults.splice(0).every((fault) => fault.includes('400'))).toBe(true);
  });

  it('the first key leads past the navigation', async () => {
    const page = await suite.open('/ui/search');
    await suite.settled();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });
});
