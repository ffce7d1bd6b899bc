import { CatalogProgram, readPostmasterPid, toLatencies } from '@stratalog/harness';
import { chromium, type Browser, type Page } from 'playwright-core';
import { serverProgramOf } from '../machine/server-program';
import type { BenchOptions } from '../bench-options';
import type { BenchRun } from '../processes/bench-run';
import type { Report } from '../report/report';
import { loadDatasets } from '../search/run-search';
import { buildIndexes } from './build-indexes';
import { checkPages } from './check-pages';
import { INTERACTIONS, timeInteraction } from './interactions';
import { measureScript } from './measure-script';

const START_MS = 300_000;
const STEP_MS = 30_000;
/** Each with an empty cache of the browser. */
const LOADS = 9;
const REPEATS = 15;
const TABLE = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brightspoke.mart.sales_daily,PROD)';

/** A page of the demo catalog, and what is on it once it shows its content. */
interface MeasuredPage {
  readonly name: string;
  readonly path: string;
  readonly content: string;
  /** Most script that it may load, in KB of gzip: that of every page, and the parts that load on demand. */
  readonly scriptKb: number;
  readonly contentMs?: number;
}

const OF_TABLE = `/ui/e/${encodeURIComponent(TABLE)}`;
const PAGES: readonly MeasuredPage[] = [
  { name: 'home', path: '/ui/', content: 'main h1', scriptKb: 180 },
  {
    name: 'search',
    path: '/ui/search?q=net+revenue',
    content: '[aria-label=Results] ul > li',
    scriptKb: 180,
  },
  { name: 'entity', path: OF_TABLE, content: 'article header h1', scriptKb: 300, contentMs: 600 },
  { name: 'columns', path: `${OF_TABLE}/columns`, content: 'article table tbody tr', scriptKb: 300 },
  {
    name: 'lineage',
    path: `/ui/lineage/${encodeURIComponent(TABLE)}`,
    content: '[aria-label="Picture of the lineage"] a',
    scriptKb: 300,
  },
  { name: 'browse', path: '/ui/browse', content: 'main section li', scriptKb: 180 },
  { name: 'health', path: '/ui/operate/health', content: 'main section', scriptKb: 180 },
];

/**
 * Measures the web pages of the demo catalog in Chromium, on this machine: what they load, when they paint, and how soon they
 * answer. With `entities`, the catalog has as many datasets besides.
 *
 * **Errors**: those of `checkPages`; an `Error` without `STRATALOG_TEST_CHROMIUM`, the path of a Chromium.
 */
export async function runPages(
  run: BenchRun,
  report: Report,
  { quick, entities }: Pick<BenchOptions, 'quick' | 'entities'>,
): Promise<void> {
  const dataDir = run.newDataDir('data');
  if (entities !== undefined) {
    await loadDatasets(run, report, { dataDir, count: entities });
    await buildIndexes(run, report, dataDir);
  }
  report.begin('starting with the demo catalog');
  const settings = { STRATALOG_DATA_DIR: dataDir, STRATALOG_AUTH: 'none' };
  const catalog = new CatalogProgram({ args: ['--demo'], settings });
  run.owns(catalog);
  const url = await catalog.ready(START_MS);
  report.runsOn(serverProgramOf(readPostmasterPid(dataDir)));
  const executablePath = process.env.STRATALOG_TEST_CHROMIUM ?? '';
  if (executablePath === '') throw new Error('STRATALOG_TEST_CHROMIUM must be the path of a Chromium');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  run.owns({ stop: () => browser.close() });
  const person = await open(browser, url);
  await checkPages(person);
  await person.context().close();
  for (const page of PAGES) await measureLoads(report, { browser, url, page, loads: quick ? 1 : LOADS });
  for (const interaction of INTERACTIONS) {
    const started = report.begin(interaction.name);
    const page = await open(browser, url);
    const times: number[] = [];
    for (let repeat = 0; repeat < (quick ? 1 : REPEATS); repeat++) {
      await page.goto(interaction.path(OF_TABLE));
      times.push(await timeInteraction(page, interaction));
    }
    await page.context().close();
    const { count, ...latencies } = toLatencies(times);
    report.add(started, {
      case: interaction.name,
      sizes: { repeats: count },
      seconds: times.reduce((sum, ms) => sum + ms, 0) / 1000,
      ...latencies,
      goals: [{ of: 'p50Ms', atMost: interaction.atMostMs }],
    });
  }
}

async function measureLoads(
  report: Report,
  {
    browser,
    url,
    page,
    loads,
  }: {
    readonly browser: Browser;
    readonly url: string;
    readonly page: MeasuredPage;
    readonly loads: number;
  },
): Promise<void> {
  const started = report.begin(`loading ${page.name}`);
  const paints: number[] = [];
  const contents: number[] = [];
  let files = { scriptKb: 0, stylesKb: 0, fontsKb: 0 };
  for (let load = 0; load < loads; load++) {
    const opened = await open(browser, url);
    await opened.goto(page.path);
    await opened.locator(page.content).first().waitFor();
    contents.push(await opened.evaluate(() => performance.now()));
    paints.push(
      await opened.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      ),
    );
    await opened.waitForLoadState('networkidle');
    files = await measureScript(opened);
    await opened.context().close();
  }
  const { count, ...latencies } = toLatencies(contents);
  report.add(started, {
    case: `content of ${page.name}`,
    sizes: { loads: count, firstPaintMs: toLatencies(paints).p50Ms },
    seconds: contents.reduce((sum, ms) => sum + ms, 0) / 1000,
    ...latencies,
    goals: page.contentMs === undefined ? [] : [{ of: 'p50Ms', atMost: page.contentMs }],
  });
  report.add(started, {
    case: `script of ${page.name}`,
    sizes: { ...files, budgetKb: page.scriptKb },
    seconds: 0,
    ratio: files.scriptKb / page.scriptKb,
    goals: [{ of: 'ratio', atMost: 1 }],
  });
}

/** Opens a page in a fresh profile, whose cache is empty. */
async function open(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce' });
  context.setDefaultTimeout(STEP_MS);
  return context.newPage();
}
