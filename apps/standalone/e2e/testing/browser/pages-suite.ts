import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { loadDemo } from '../../../src/load-demo';
import { MODELS } from '../../../src/stages';
import { Site, type BootedCatalog, type BootOptions } from '../catalog/booted-catalog';
import { launchBrowser, openPage, type WatchedPage } from './browser';
import { ProxiedApps } from './proxied-apps';

const QUIET_MS = 500;
const STEP_MS = 50;
const DEMO = fileURLToPath(new URL('../../../demo', import.meta.url));

export const SALES_DAILY = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brightspoke.mart.sales_daily,PROD)';
export const CUSTOMERS = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.customers,PROD)';

/** The address of the page of an entity. */
export function entityPath(urn: string, rest = ''): string {
  return `/ui/e/${encodeURIComponent(urn)}${rest}`;
}

interface PagesOptions extends BootOptions {
  readonly hasDemo?: boolean;
  /** True: the browser talks to the proxy of a distributed catalog, whose serving apps are processes of their own. */
  readonly isProxied?: boolean;
}

/** A catalog and a browser for the tests of one suite of the web pages. */
export class PagesSuite {
  private watched: WatchedPage | undefined;
  private browser: Browser | undefined;
  private site: Site | undefined;
  private booted: BootedCatalog | undefined;
  private apps: ProxiedApps | undefined;

  async start(options: PagesOptions): Promise<void> {
    this.site = await Site.create();
    [this.booted, this.browser] = await Promise.all([this.site.boot(options), launchBrowser()]);
    if (options.hasDemo === true) {
      await loadDemo(this.booted.deps, { folder: DEMO, testsFolder: join(MODELS, 'tests') });
    }
    if (options.isProxied === true) {
      const { databaseUrl } = this.site;
      this.apps = await ProxiedApps.start({ DATABASE_URL: databaseUrl, ...options.environment });
    }
  }

  async end(): Promise<void> {
    await this.browser?.close();
    await this.apps?.end();
    await this.site?.remove();
  }

  get catalog(): BootedCatalog {
    return this.booted ?? missing();
  }

  get page(): Page {
    return this.watched?.page ?? missing();
  }

  /** Errors so far; a test that expects some takes them out. */
  get faults(): string[] {
    return this.watched?.faults ?? [];
  }

  /** Opens an address in a fresh browser profile. */
  async open(path: string, options?: BrowserContextOptions): Promise<Page> {
    if (this.browser === undefined) return missing();
    await this.watched?.page.context().close();
    // A colour in the middle of a fade is none of the design.
    this.watched = await openPage(this.browser, this.apps?.url ?? this.catalog.url, {
      reducedMotion: 'reduce',
      ...options,
    });
    await this.watched.page.goto(path);
    return this.watched.page;
  }

  /** Resolves when the page has read what it shows. */
  async settled(): Promise<void> {
    await this.page.locator('h1').first().waitFor({ state: 'attached' });
    await this.quiet();
    // A function that polls would be evaluated in the page, which its policy forbids.
    await this.page.locator('[role=status] .visually-hidden').first().waitFor({ state: 'detached' });
  }

  /** As Playwright's `networkidle`, for which a stream of events is never idle. */
  private async quiet(): Promise<void> {
    await this.page.waitForLoadState();
    for (let quietMs = 0; quietMs < QUIET_MS;) {
      await this.page.waitForTimeout(STEP_MS);
      quietMs = this.watched?.pending.size === 0 ? quietMs + STEP_MS : 0;
    }
  }

  /** Ends the page, and expects that nothing went wrong on it. */
  async check(): Promise<void> {
    const { faults } = this;
    await this.watched?.page.context().close();
    this.watched = undefined;
    expect(faults).toEqual([]);
  }
}

function missing(): never {
  throw new Error('A suite has its catalog and its page while its tests run');
}

/** Boots a catalog and a browser before the first test of the calling suite; after each test, its page must have no errors. */
export function pagesForSuite(options: PagesOptions = {}): PagesSuite {
  const suite = new PagesSuite();
  beforeAll(() => suite.start(options));
  afterEach(() => suite.check());
  afterAll(() => suite.end());
  return suite;
}
