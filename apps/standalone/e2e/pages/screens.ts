import { allFindings, overflow } from '../testing/browser/browser';
import { CUSTOMERS, SALES_DAILY, entityPath, type PagesSuite } from '../testing/browser/pages-suite';
import { ORDER_LINES, lineagePath } from './checks/lineage';

/** Pages on which one finds and understands, of the demo catalog. */
export const READING_PAGES = [
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
  '/ui/changes',
  '/ui/sign-in',
];

/** Lineage, folders, domains and terms of the demo catalog. */
export const EXPLORING_PAGES = [
  lineagePath(ORDER_LINES, '?dir=down&column=unit_price_cents&hops=4'),
  lineagePath(ORDER_LINES, '?view=list'),
  '/ui/browse',
  `/ui/browse/paths/urn:li:container:b7c1snowwarehouse?preview=${encodeURIComponent(SALES_DAILY)}`,
  '/ui/browse/platforms',
  '/ui/domains',
  '/ui/domains/urn:li:domain:sales?q=orders',
  '/ui/glossary/urn:li:glossaryTerm:Sales.NetRevenue',
];

/** Below `/ui/operate`. */
export const OPERATING_PLACES = [
  'health',
  'tasks',
  'indices',
  'dead-letters',
  'tests',
  'tokens',
  'audit?outcome=done',
  'policies',
];

/** A width in pixels, and the colours that a person prefers. */
type Screen = readonly [width: number, colorScheme: 'light' | 'dark'];

const HEIGHT = 900;

/** What is wrong on the shown page in each screen: findings of axe, and text beyond the right edge. Loading it once saves most of the time. */
export async function faultsOn(suite: PagesSuite, screens: readonly Screen[]): Promise<readonly unknown[]> {
  const { page } = suite;
  const found: unknown[] = [];
  for (const [width, colorScheme] of screens) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await suite.settled();
    const faults = [...(await allFindings(page)), ...((await overflow(page)) === 0 ? [] : ['overflow'])];
    if (faults.length > 0) found.push([width, colorScheme, faults]);
  }
  return found;
}
