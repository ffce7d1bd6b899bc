import { allFindings, overflow } from '../testing/browser/browser';
import type { PagesSuite } from '../testing/browser/pages-suite';

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
