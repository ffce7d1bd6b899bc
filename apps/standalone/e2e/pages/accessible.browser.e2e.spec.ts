import { describe, expect, it } from '@jest/globals';
import { allFindings, overflow } from '../testing/browser/browser';
import { SALES_DAILY, entityPath, pagesForSuite } from '../testing/browser/pages-suite';
import { READING_PAGES, faultsOn } from './screens';

/** A card that the pointer has left goes sooner. */
const STAYS_MS = 600;
const SCREENS = [1440, 900, 390].flatMap((width) => [[width, 'light'] as const, [width, 'dark'] as const]);
/** Below it nothing needs to fit. **Units**: pixels. */
const NARROWEST = 320;

describe('the web pages for everybody', () => {
  const suite = pagesForSuite({ hasDemo: true });

  const pastPage = (): string => entityPath(SALES_DAILY, `?at=${new Date().toISOString()}`);

  it.each([
    ...READING_PAGES.map((path) => [path, () => path] as const),
    ['an entity as of a time', pastPage] as const,
  ])('axe finds nothing, and nothing overflows, in each width and scheme: %s', async (_name, path) => {
    const page = await suite.open(path());
    await suite.settled();
    const found = await faultsOn(suite, SCREENS);
    await page.setViewportSize({ width: NARROWEST, height: 640 });
    expect([found, await overflow(page)]).toEqual([[], 0]);
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

  it.each(['light', 'dark'] as const)(
    'a chip has a card, by the pointer and by the keyboard: %s',
    async (colorScheme) => {
      const page = await suite.open(entityPath(SALES_DAILY), { colorScheme });
      await suite.settled();
      const chip = page.locator('article header').getByRole('link', { name: 'Sales', exact: true });
      const card = page.getByRole('tooltip');
      await chip.hover();
      await card.filter({ hasText: 'Owned by Sam Whitaker' }).waitFor();
      expect(await card.innerText()).toMatch(
        /^Sales\s+Domain\s+Orders, revenue, margins and returns\.\s+Owned/,
      );
      expect(await allFindings(page)).toEqual([]);
      // It stays while one reads it, and gives way to what lies below.
      await card.hover();
      await page.waitForTimeout(STAYS_MS);
      expect(await card.count()).toBe(1);
      await page.keyboard.press('Escape');
      await card.waitFor({ state: 'detached' });
      await page.mouse.move(0, 0);
      await page.locator('article header').getByRole('link', { name: 'Sam Whitaker' }).focus();
      await page.keyboard.press('Tab');
      await card.filter({ hasText: 'Domain' }).waitFor();
      expect(await chip.getAttribute('aria-describedby')).toBe(await card.getAttribute('id'));
      await page.keyboard.press('Shift+Tab');
      await card.filter({ hasText: 'Person' }).waitFor();
      expect(await chip.getAttribute('aria-describedby')).toBeNull();
    },
  );

  it('the first key leads past the navigation', async () => {
    const page = await suite.open('/ui/search');
    await suite.settled();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });
});
