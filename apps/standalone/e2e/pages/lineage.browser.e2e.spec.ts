import { describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { SALES_DAILY, pagesForSuite } from '../testing/browser/pages-suite';
import {
  FCT_ORDER_LINE,
  ORDER_LINES,
  aColumnSaysWhatItReaches,
  lineagePath,
  nodeOf,
  openingANodeMovesNone,
  readAll,
  theKeyboardReachesAFarTable,
} from './checks/lineage';
import { EXPLORING_PAGES, faultsOn } from './screens';

const [GREW, FIRST, SECOND] = ['grew', 'first', 'second'].map(
  (name) => `urn:li:dataset:(urn:li:dataPlatform:hive,compared.${name},PROD)`,
) as [string, string, string];

const SCREENS = [
  [1440, 'light'],
  [900, 'dark'],
  [390, 'dark'],
] as const;

describe('the pages of lineage, folders, domains and terms', () => {
  const suite = pagesForSuite({ hasDemo: true });
  const node = (urn: string) => nodeOf(suite, urn);
  const write = async (upstreams: readonly string[]): Promise<number> => {
    const value = { upstreams: upstreams.map((dataset) => ({ dataset, type: 'TRANSFORMED' })) };
    const aspect = { value: stringifyJson(value), contentType: 'application/json' };
    const proposal = {
      entityUrn: GREW,
      entityType: 'dataset',
      changeType: 'UPSERT',
      aspectName: 'upstreamLineage',
    };
    const answer = await suite.catalog.http.post(
      '/aspects?action=ingestProposal',
      stringifyJson({ proposal: { ...proposal, aspect } }),
    );
    expect(answer.status).toBe(200);
    await suite.catalog.http.caughtUp();
    return Date.now();
  };

  it('the panel says what a change of a column reaches, and whom to ask', () =>
    aColumnSaysWhatItReaches(suite));

  it('what an answer lacks is said in sentences', async () => {
    const page = await suite.open('/ui/');
    const alter = async (address: RegExp, members: object): Promise<void> => {
      await page.context().route(address, async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { readonly value?: object };
        const { value } = answer;
        const json = value === undefined ? { ...answer, ...members } : { value: { ...value, ...members } };
        await route.fulfill({ response, json });
      });
    };
    await alter(/\/lineage\/[^/]+\.json/, { partial: true, purged: { total: 2, urns: [GREW, FIRST] } });
    await alter(/\/impact\?/, { partial: true, filtered: 3 });
    await alter(/action=getLineage|action=searchAcrossLineage/, {
      partial: true,
      filtered: 1,
      continueAt: [SALES_DAILY],
    });
    await page.goto(lineagePath(ORDER_LINES, '?dir=down'));
    const main = page.getByRole('main');
    await main.getByText(/^The nearest \d+ entities are shown; there are more/).waitFor();
    await main.getByText(/entit(?:y is|ies are) left out, because/).waitFor();
    await main.getByText('The lineage that 2 entities had at that time is removed by retention.').waitFor();
    await main.getByText('A limit cut the lineage: there may be more.').waitFor();
    await main.getByText('3 deleted entities are left out.').waitFor();
    await suite.settled();
    expect(await faultsOn(suite, SCREENS)).toEqual([]);
    await main.getByText('Continue at').getByRole('link', { name: 'SALES_DAILY' }).click();
    await page.getByRole('heading', { level: 1, name: /SALES_DAILY/ }).waitFor();
    await suite.settled();
    await page.context().unrouteAll({ behavior: 'wait' });
  });

  it('the canvas stands in columns by hops, and the selected column runs to its ends', async () => {
    const page = await suite.open(lineagePath(ORDER_LINES, '?dir=down&column=unit_price_cents&hops=4'));
    await node(SALES_DAILY).waitFor();
    const x = async (urn: string): Promise<number> => (await node(urn).boundingBox())?.x ?? NaN;
    expect(await x(ORDER_LINES)).toBeLessThan(await x(FCT_ORDER_LINE));
    expect(await x(FCT_ORDER_LINE)).toBeLessThan(await x(SALES_DAILY));
    for (const text of ['Source', '1 hop', '4 hops'])
      await page.getByText(text, { exact: true }).first().waitFor();
    const widths = await readAll<string>(
      suite,
      '.react-flow__edge-path',
      'getComputedStyle(each).strokeWidth',
    );
    expect(widths.filter((width) => width === '2px')).toHaveLength(5);
    const jobs = await page.locator('[data-tile]').allInnerTexts();
    expect(jobs.join()).toContain('Copy orders');
  });

  it('opening a node shows its neighbours, and moves none that was there', () =>
    openingANodeMovesNone(suite));

  it('the keyboard walks along edges to a far table, and the list names the same entities', () =>
    theKeyboardReachesAFarTable(suite));

  it('a comparison shows what came, what went, and which change did it', async () => {
    const fromMs = await write([FIRST]);
    await write([SECOND]);
    const page = await suite.open(lineagePath(GREW, `?dir=up&from=${new Date(fromMs).toISOString()}`));
    await node(FIRST).getByText('went:').waitFor({ state: 'attached' });
    await node(SECOND).getByText('came:').waitFor({ state: 'attached' });
    const borders = await Promise.all(
      [FIRST, SECOND].map((urn) =>
        readAll<string>(suite, `[data-node="${urn}"]`, 'getComputedStyle(each).borderTopStyle'),
      ),
    );
    expect(borders).toEqual([['dashed'], ['solid']]);
    const panel = page.getByRole('complementary', { name: 'What it means' });
    await panel.getByText('1 entity came, 1 entity went').waitFor();
    await panel.getByText('Upstream lineage of').first().waitFor();
    await page.getByRole('button', { name: 'Stop comparing' }).click();
    await node(FIRST).waitFor({ state: 'detached' });
    await page.goto(lineagePath(GREW, `?dir=up&at=${new Date(fromMs).toISOString()}`));
    await node(FIRST).waitFor();
    expect(await node(SECOND).count()).toBe(0);
  });

  it('folders open one in another down to a table, which has a preview', async () => {
    const page = await suite.open('/ui/');
    await page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'Browse' })
      .click();
    const main = page.getByRole('main');
    for (const folder of ['BRIGHTSPOKE', 'MART']) {
      await page
        .getByRole('navigation', { name: 'Folders' })
        .getByRole('link', { name: new RegExp(`^${folder}`) })
        .click();
      await main.getByRole('heading', { level: 1, name: folder }).waitFor();
    }
    await main.getByRole('button', { name: 'Preview SALES_DAILY' }).click();
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await preview.getByText('Analytics').waitFor();
    await page.reload();
    await preview.getByRole('link', { name: 'SALES_DAILY' }).click();
    await page.getByRole('heading', { level: 1, name: 'SALES_DAILY' }).waitFor();
  });

  it('a domain has its place in the tree, its data products, and a search of its own', async () => {
    const page = await suite.open('/ui/domains');
    await page.getByRole('button', { name: 'Open Trading' }).click();
    await page.getByRole('navigation', { name: 'Domains' }).getByRole('link', { name: 'Sales' }).click();
    await page.getByRole('heading', { name: '1 data product' }).waitFor();
    await page.getByText('15 entities').waitFor();
    await page.getByRole('textbox', { name: 'Search in this domain' }).fill('sales_daily');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=sales_daily/);
    await page.getByRole('main').getByRole('link', { name: 'SALES_DAILY' }).waitFor();
  });

  it('a term says its definition, its relations and the columns that have it', async () => {
    const page = await suite.open('/ui/glossary');
    for (const group of ['Brightspoke', 'Sales'])
      await page.getByRole('button', { name: `Open ${group}` }).click();
    await page.getByRole('link', { name: 'Net revenue' }).click();
    await page.getByText('What customers paid for delivered goods').waitFor();
    await page.getByText('4 entities have this term').waitFor();
    await page.getByText('net_revenue_to_date_eur').waitFor();
    await page.getByRole('definition').getByRole('link', { name: 'Return rate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Return rate' }).waitFor();
  });

  it.each(EXPLORING_PAGES)(
    'axe finds nothing, and nothing overflows, on a desk, a tablet and a phone: %s',
    async (path) => {
      await suite.open(path);
      expect(await faultsOn(suite, SCREENS)).toEqual([]);
    },
  );
});
