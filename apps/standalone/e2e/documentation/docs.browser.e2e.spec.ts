import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import {
  launchBrowser,
  openPage,
  overflow,
  seriousFindings,
  type WatchedPage,
} from '../testing/browser/browser';

const INDEX = '/restli/docs';
const TOKEN = 'an-operators-token-of-our-own';
const INGEST = '#post-aspects-ingestProposal';
const SEARCH = '#post-entities-search';
const PAGES = [
  '/restli/docs/entities/dataset',
  '/restli/docs/entities/dataHubPolicy',
  '/restli/docs/aspects/ownership',
  '/restli/docs/aspects/schemaMetadata',
  '/restli/docs/aspects/datasetProfile',
];
/**
 * The overflow of a page depends on the width, its colours on the scheme: two screens cover both values of
 * each. axe takes a minute for all open endpoints, so one screen leaves out what has the colours of others.
 */
const SCREENS: readonly (readonly [string, BrowserContextOptions, leftOut: string])[] = [
  [
    'a phone, dark',
    { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
    `.endpoint:not(:first-child):not(${SEARCH})`,
  ],
  ['a desk, light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }, ':not(*)'],
];

describe('the documentation in a browser', () => {
  let site: Site;
  let catalog: BootedCatalog;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    site = await Site.create();
    [catalog, browser] = await Promise.all([site.boot(), launchBrowser()]);
  });
  afterEach(async () => {
    const { faults } = watched;
    await page.context().close();
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await site.remove();
  });

  const open = async (path: string, options?: BrowserContextOptions): Promise<void> => {
    const { href, origin } = new URL(path, catalog.url);
    watched = await openPage(browser, origin, options);
    page = watched.page;
    await page.goto(href);
  };
  const found = (): Promise<number> => page.locator('[data-words]:visible').count();
  /** Runs the form of an endpoint; returns the status line and the body. */
  const run = async (endpoint: string): Promise<readonly [string, string]> => {
    await page.locator(`${endpoint} .run`).click();
    const status = page.locator(`${endpoint} .status`);
    await status.filter({ hasText: /./ }).waitFor();
    return [await status.innerText(), await page.locator(`${endpoint} .answered .body`).innerText()];
  };

  describe.each(SCREENS)('on %s', (_name, options, leftOut) => {
    it.each(PAGES)('is accessible and does not overflow: %s', async (path) => {
      await open(path, options);
      expect([await overflow(page), await seriousFindings(page)]).toEqual([0, []]);
    });

    it('is accessible and does not overflow with every endpoint open and an answer shown', async () => {
      await open(INDEX, options);
      // The closed page shows a part of the open one, which axe inspects below.
      expect(await overflow(page)).toBe(0);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await run(SEARCH);
      expect(await overflow(page)).toBe(0);
      await page.evaluate(`for (const each of document.querySelectorAll('${leftOut}')) each.remove()`);
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  it('finds endpoints, entities, aspects and fields', async () => {
    await open(INDEX);
    const all = await found();
    await page.keyboard.press('/');
    await page.keyboard.type('externalUrl');
    expect(await page.locator('#found').innerText()).toMatch(/^\d+ found/);
    expect(await page.locator('#aspects li:visible').first().innerText()).toContain('Fields: externalUrl');
    expect([await found(), await page.locator('#endpoints').isVisible()]).not.toContain(all);
    await page.locator('#q').fill('search');
    expect(await page.locator(SEARCH).isVisible()).toBe(true);
    await page.locator('#q').fill('no such thing');
    expect(await page.locator('#found').innerText()).toContain('Nothing has');
    await page.keyboard.press('Escape');
    expect(await found()).toBe(all);
  });

  it('opens a search from any page on the first one, and works by keyboard', async () => {
    await open('/restli/docs/entities/dataset');
    await page.locator('#q').fill('domainProperties');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/restli\/docs\?q=domainProperties/);
    await page.keyboard.press('/');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/aspects\/domainProperties$/);
    expect(await page.locator('h1').innerText()).toBe('domainProperties');
  });

  it('opens the target of an address, and the choice of the keyboard', async () => {
    await open(INDEX + SEARCH);
    expect(await page.locator(`${SEARCH} form`).isVisible()).toBe(true);
    expect(await page.locator(`${INGEST} form`).isVisible()).toBe(false);
    await page.locator(`${INGEST} summary`).first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator(`${INGEST} form`).isVisible()).toBe(true);
    await page.goto('about:blank');
    await page.goto(INDEX);
    await page.keyboard.press('Tab');
    expect(await page.locator('.skip:focus').count()).toBe(1);
  });

  it('writes, and finds the write at the position in the answer', async () => {
    await open(INDEX + INGEST);
    const [written, answer] = await run(INGEST);
    expect([written, JSON.parse(answer)]).toEqual([
      expect.stringMatching(/^200 OK in \d+ ms$/),
      { value: 'urn:li:dataset:(urn:li:dataPlatform:postgres,docs.example,PROD)' },
    ]);
    const position = await page
      .locator(`${INGEST} .headers dt`, { hasText: 'x-stratalog-position' })
      .locator('xpath=following-sibling::dd')
      .innerText();
    await page.goto(INDEX + SEARCH);
    await page.locator(SEARCH).getByLabel('X-Stratalog-Wait-For').fill(position);
    const [, body] = await run(SEARCH);
    expect(JSON.parse(body)).toMatchObject({ value: { numEntities: 1 } });
  });

  it('shows each call as an equivalent command', async () => {
    await open(INDEX + SEARCH);
    await page.locator(`${SEARCH} .example`).selectOption({ label: 'Everything, with scores' });
    const [, body] = await run(SEARCH);
    const command = await page.locator(`${SEARCH} .curl`).innerText();
    expect(command).toContain("-H 'X-RestLi-Protocol-Version: 2.0.0'");
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/^curl /, 'curl -s ')]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(body));
  });

  it('shows rejections, and numbers with all their digits', async () => {
    await open(INDEX + SEARCH);
    await page
      .locator(`${SEARCH} textarea`)
      .fill('{"input": "*", "entity": "nothing", "start": 0, "count": 12345678901234567890}');
    expect(await page.locator(`${SEARCH} .curl`).innerText()).toContain('"count":12345678901234567890');
    const [status, body] = await run(SEARCH);
    expect([status, body]).toEqual([expect.stringMatching(/^400 /), expect.stringContaining('"message"')]);
    expect(watched.faults.splice(0)).toEqual([expect.stringContaining('400')]);
  });

  it('keeps a token in memory alone', async () => {
    const guarded = await site.boot({ environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: TOKEN } });
    await open(guarded.url + INDEX + SEARCH);
    const { faults } = watched;
    expect((await run(SEARCH))[0]).toMatch(/^401 /);
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')]);
    await page.getByLabel('Token', { exact: true }).fill(TOKEN);
    await page.locator(`${SEARCH} .run`).click();
    await page.locator(`${SEARCH} .status`, { hasText: '200' }).waitFor();
    expect(await page.locator(`${SEARCH} .curl`).innerText()).toContain('-H "Authorization: Bearer $TOKEN"');
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(kept).not.toContain(TOKEN);
    await page.reload();
    expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe('');
    await guarded.stop();
  });
});
