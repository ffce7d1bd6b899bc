import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page, type Request } from 'playwright-core';

/** The browser runs as the user of the suites, root included, and contacts the pages under test only. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** The time limit for one step on a busy machine. */
const LIMIT_MS = limitMs(90_000);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page with its faults. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, violations of the policy, failed requests, and requests to other hosts. */
  readonly faults: string[];
  /** Requests without their whole answer; streams of events, which have no end, are left out. */
  readonly pending: ReadonlySet<Request>;
}

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.STRATALOG_TEST_CHROMIUM ?? '';
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** Opens a fresh page in a fresh profile that may reach `origin` only. */
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
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/events')) pending.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => pending.delete(request));
  return { page, faults, pending };
}

/** Returns axe's serious accessibility findings, each with its place. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  return toTexts(
    (await findings(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical'),
  );
}

/** Returns all of axe's accessibility findings, each with its place. */
export async function allFindings(page: Page): Promise<readonly string[]> {
  return toTexts(await findings(page));
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly html: readonly string[];
}

function toTexts(found: readonly Finding[]): readonly string[] {
  return found.map(({ id, html }) => `${id}: ${html.slice(0, 3).join(' ')}`);
}

async function findings(page: Page): Promise<readonly Finding[]> {
  // Through the debugger, because the policy of the pages permits no script; returning its value would take
  // minutes.
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(`${AXE}\n;undefined`);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run: (options: {
          resultTypes: string[];
        }) => Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    // Describing each element without a violation would take most of the time.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes.map((node) => node.html) }));
  });
}

/** Measures how far the page extends beyond the window's right edge. **Units**: pixels. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
