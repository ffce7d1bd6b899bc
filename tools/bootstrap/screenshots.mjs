// `npm run screenshots`: pictures of the web pages in both themes and three widths, into dist/screenshots.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath, exit } from 'node:process';
import { createInterface } from 'node:readline';
import { buildIfNeeded } from './build/build-if-needed.mjs';
import { findChromium } from './test/test-services.mjs';
import { installIfNeeded } from './workspace/install.mjs';
import { DIST, say } from './workspace/workspace.mjs';

const SCREENS = [1440, 900, 390].flatMap((width) => ['light', 'dark'].map((theme) => [width, theme]));
const HEIGHT = 900;
/** The time limit for one step on a busy machine. */
const LIMIT_MS = 90_000;
/** A page without calls for this time has read what it shows. */
const QUIET_MS = 600;
const STEP_MS = 50;
const FOLDER = join(DIST, 'screenshots');
const OPERATOR = 'the-operator-of-the-screenshots';
const DAY_MS = 86_400_000;

const TABLE = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brightspoke.mart.sales_daily,PROD)';
const CUSTOMERS = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.customers,PROD)';
/** Its description is edited, so no other picture shows it. */
const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)';
const entity = (urn, rest = '') => `/ui/e/${encodeURIComponent(urn)}${rest}`;
const lineage = (rest = '') => `/ui/lineage/${encodeURIComponent(TABLE)}${rest}`;
/** The moment before the lineage of the table changes; the store has nothing older than the loading. */
const loaded = { at: '' };
const past = (days) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Every page by the name of its picture. `before` and `after` loading make a state that no address has. */
const PAGES = {
  home: '/ui/',
  'search-box': { path: '/ui/', after: typeSearch },
  search: '/ui/search?q=net+revenue',
  'search-facets': '/ui/search?q=sales&domains=urn:li:domain:sales',
  'search-empty': '/ui/search?q=zzyyqqw',
  'entity-overview': entity(TABLE),
  'entity-columns': entity(CUSTOMERS, '/columns?column=email'),
  'entity-quality': entity(TABLE, '/quality'),
  'entity-usage': entity(TABLE, '/usage'),
  'entity-relations': entity(TABLE, '/relations'),
  'entity-json': entity(TABLE, '/json'),
  'entity-past': entity(TABLE, `?at=${past(1)}`),
  'entity-missing': entity('urn:li:dataset:(urn:li:dataPlatform:hive,nobody.knows,PROD)'),
  history: entity(TABLE, '/history'),
  lineage: lineage(),
  'lineage-column': lineage('?dir=down&column=net_revenue_eur'),
  'lineage-compared': { path: () => lineage(`?from=${loaded.at}`) },
  browse: '/ui/browse',
  platforms: '/ui/browse/platforms',
  domains: '/ui/domains',
  domain: '/ui/domains/urn:li:domain:sales',
  glossary: '/ui/glossary',
  changes: '/ui/changes',
  health: '/ui/operate/health',
  tasks: '/ui/operate/tasks',
  indices: '/ui/operate/indices',
  'dead-letters': '/ui/operate/dead-letters',
  tests: '/ui/operate/tests',
  tokens: '/ui/operate/tokens',
  audit: '/ui/operate/audit',
  policies: '/ui/operate/policies',
  'not-found': '/ui/nowhere',
  error: { path: entity(TABLE), before: breakReads },
  'entity-edit': { path: entity(ORDERS), after: edit },
  'entity-conflict': { path: entity(ORDERS), after: meetAnotherEdit },
  building: { path: '/ui/search?q=sales', before: answerBuilding },
};
/** Pages of somebody with a token that only reads, or with none. */
const PAGES_OF_READERS = { 'operate-no-right': '/ui/operate/health' };
const PAGES_OF_NOBODY = { 'sign-in': '/ui/sign-in' };

await run().catch((error) => {
  say(error.message);
  exit(1);
});

async function run() {
  await installIfNeeded('all');
  await buildIfNeeded(['apps/standalone/main']);
  const { chromium } = await import('playwright-core');
  rmSync(FOLDER, { recursive: true, force: true });
  const catalog = await startCatalog();
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const reader = await makeToken(catalog.url);
    await changeLineage(catalog.url);
    for (const [width, theme] of SCREENS) {
      const shoot = (pages, token) => shootAll({ browser, url: catalog.url, pages, token, width, theme });
      await shoot(PAGES, OPERATOR);
      await shoot(PAGES_OF_READERS, reader);
      await shoot(PAGES_OF_NOBODY);
    }
    say(`the pictures are in ${FOLDER}`);
  } finally {
    await browser.close();
    await catalog.stop();
  }
}

/** Starts the catalog with the sample data in a folder that goes with it; resolves when it is ready. */
async function startCatalog() {
  const folder = mkdtempSync(join(tmpdir(), 'stratalog-screenshots-'));
  const child = spawn(execPath, [join(DIST, 'apps/standalone/main.js'), '--demo'], {
    env: {
      ...env,
      STRATALOG_DATA_DIR: folder,
      STRATALOG_PORT: '0',
      STRATALOG_AUTH: 'all',
      STRATALOG_TOKEN: OPERATOR,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /"url":"([^"]+)".*"msg":"ready"/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stderr.resume();
    return { url, stop };
  }
  await stop();
  throw new Error('the catalog ended before it was ready');
}

async function makeToken(url) {
  const about = { name: 'reader', scopes: ['read'], actor: 'urn:li:corpuser:ada' };
  return (await post(`${url}/operations?action=createToken`, about)).token;
}

/** The table is made from one more, so that there is something to compare. */
async function changeLineage(url) {
  loaded.at = new Date().toISOString();
  await post(`${url}/aspects?action=ingestProposal`, {
    proposal: {
      entityType: 'dataset',
      entityUrn: TABLE,
      aspectName: 'upstreamLineage',
      changeType: 'PATCH',
      aspect: {
        contentType: 'application/json-patch+json',
        value: JSON.stringify([
          { op: 'add', path: `/upstreams/${CUSTOMERS}`, value: { dataset: CUSTOMERS, type: 'TRANSFORMED' } },
        ]),
      },
    },
  });
}

async function post(url, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).value;
}

async function shootAll({ browser, url, pages, token, width, theme }) {
  const folder = join(FOLDER, `${String(width)}-${theme}`);
  mkdirSync(folder, { recursive: true });
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: HEIGHT },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(LIMIT_MS);
  const page = await context.newPage();
  const pending = watchCalls(page);
  if (token !== undefined) await signIn(page, token);
  for (const [name, shown] of Object.entries(pages)) {
    const { path, before, after } = typeof shown === 'string' ? { path: shown } : shown;
    await before?.(page);
    say(`${String(width)} ${theme} ${name}`);
    await page.goto(typeof path === 'function' ? path() : path);
    await settle(page, pending);
    await after?.(page);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await context.close();
}

async function signIn(page, token) {
  await page.goto('/ui/sign-in');
  await page.getByLabel('Stay signed in on this tab').check();
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname === '/ui/');
}

/** The calls without an answer; streams of events have no end. */
function watchCalls(page) {
  const pending = new Set();
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/events')) pending.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => pending.delete(request));
  return pending;
}

/** Resolves when the page has read what it shows. */
async function settle(page, pending) {
  await page.locator('h1, [role=alert]').first().waitFor({ state: 'attached' });
  for (let quietMs = 0; quietMs < QUIET_MS;) {
    await page.waitForTimeout(STEP_MS);
    quietMs = pending.size === 0 ? quietMs + STEP_MS : 0;
  }
  await page.locator('[role=status] .visually-hidden').first().waitFor({ state: 'detached' });
}

async function typeSearch(page) {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sales_da');
  await page.getByRole('option', { name: /^SALES_DAILY/ }).waitFor();
}

async function edit(page) {
  await page.getByRole('button', { name: 'Edit the description' }).click();
  await page
    .getByRole('textbox', { name: 'Description' })
    .fill('One row for each order, as the shop keeps it.');
}

/** Somebody else saves first, by a call of the page's own origin. */
async function meetAnotherEdit(page) {
  await edit(page);
  const proposal = {
    entityType: 'dataset',
    entityUrn: ORDERS,
    aspectName: 'editableDatasetProperties',
    changeType: 'UPSERT',
    aspect: {
      contentType: 'application/json',
      value: JSON.stringify({ description: `Orders of the shop, as of ${new Date().toISOString()}` }),
    },
  };
  const answer = await page.request.post('/aspects?action=ingestProposal', {
    headers: { authorization: `Bearer ${OPERATOR}` },
    data: { proposal },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('group', { name: 'Two versions' }).waitFor();
}

/** Reads of entities fail as in a catalog with a defect. */
async function breakReads(page) {
  const body = JSON.stringify({
    status: 500,
    message: 'Internal server error (reference 5f2c81d0-94c7-4d1e-8a3b-2b6f0f1f7a10)',
  });
  await page.route(/\/entitiesV2/, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body }),
  );
}

/** Searches are answered as while the first index is being built. */
async function answerBuilding(page) {
  const body = JSON.stringify({ status: 503, message: 'The first index is being built; repeat the call' });
  const headers = { 'retry-after': '1' };
  await page.route(/action=search/, (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', headers, body }),
  );
}
