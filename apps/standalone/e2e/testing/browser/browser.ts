import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** It runs as whoever runs the suites, root included, and asks nobody but the pages under test. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** What a busy machine may take over one step. */
const LIMIT_MS = limitMs(90_000);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page with what went wrong on it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, what the policy stopped, failed requests, and requests to other hosts. */
  readonly faults: string[];
}

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.STRATALOG_TEST_CHROMIUM ?? '';
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** A fresh page of a fresh profile that may reach `origin` alone. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  context.setDefaultTimeout(LIMIT_MS);
  const faults: string[] = [];
  await context.route('**', async (route) => {
    const url = route.request().url();
    if (new URL(url).origin === new URL(origin).origin) return route.continue();
    faults.push(`asked for ${url}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return { page, faults };
}

/** Findings of axe that keep people out, each with where it is. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // Through the debugger, because the policy of the pages lets no script in; its own value would take minutes to send.
  await page.evaluate(`${AXE}\n;undefined`);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (options: {
          resultTypes: string[];
        }) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    // What is in order is not described element by element, which would take most of the time.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes.map((node) => node.html) }));
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, html }) => `${id}: ${html.slice(0, 3).join(' ')}`);
}

/** How far the page reaches beyond the window's right edge. **Units**: pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
