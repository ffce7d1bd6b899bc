import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { dataset } from '../relationships/edge-forms';
import { launchBrowser, openPage } from '../testing/browser/browser';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

/** Names in many scripts, wide, long, and with characters of XML. */
const NAMES = [
  'orders',
  'a_table_with_a_name_that_is_much_longer_than_a_box',
  'WWWWWWWWWWWWWWWWWWWWMMMMMMMM',
  '<script>alert(1)</script>',
  'Größe & "Gewicht"',
  '注文明細テーブル',
  'заказы_по_дням',
  '😀😀😀',
];
const tableAt = (at: number): string => dataset(`t${String(at)}`);
const TABLES = 60;
/** Two trees with the asked table 0 as their root: half of the tables upstream, half downstream, and lines across layers. */
const HALF = TABLES / 2;
const EDGES: readonly (readonly [from: number, to: number])[] = [
  ...Array.from({ length: HALF - 1 }, (_, at) => [at + 1, Math.floor(at / 3)] as const),
  ...Array.from(
    { length: HALF },
    (_, at) => [at < 3 ? 0 : HALF + Math.floor(at / 3) - 1, HALF + at] as const,
  ),
  ...[1, 5, 9, 20].map((at) => [at, TABLES - at] as const),
];
const listUpstreams = (at: number): readonly number[] =>
  EDGES.filter(([, to]) => to === at).map(([from]) => from);

const SCREENS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['a phone, dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }],
  ['a tablet, light', { viewport: { width: 820, height: 1180 }, colorScheme: 'light' }],
  ['a desk, dark', { viewport: { width: 1920, height: 1080 }, colorScheme: 'dark' }],
];

interface Shown {
  readonly boxes: number;
  readonly overlaps: readonly string[];
  readonly overflows: readonly string[];
  readonly faint: readonly string[];
}

/** Measures the drawn picture with the fonts of the browser. */
const MEASURE = `(() => {
  const groups = [...document.querySelectorAll('g')];
  const boxes = groups.map((group) => group.querySelector('.box').getBoundingClientRect());
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const colour = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const overlaps = [], overflows = [], faint = [];
  groups.forEach((group, at) => {
    boxes.slice(at + 1).forEach((other) => { if (!apart(boxes[at], other)) overlaps.push(group.textContent); });
    const box = boxes[at];
    const texts = [...group.querySelectorAll('text')];
    const places = texts.map((text) => text.getBoundingClientRect());
    texts.forEach((text, index) => {
      const place = places[index];
      if (place.right > box.right || place.left < box.left || place.top < box.top || place.bottom > box.bottom) {
        overflows.push(text.textContent);
      }
      places.slice(index + 1).forEach((other) => {
        if (other.top < place.bottom - 4 && !apart(place, other)) overflows.push('on another: ' + text.textContent);
      });
      const ground = text.matches('.type') ? text.previousElementSibling : group.querySelector('.box');
      const ratio = contrast(colour(getComputedStyle(text).fill), colour(getComputedStyle(ground).fill));
      if (ratio < 4.5) faint.push(text.textContent + ' ' + ratio);
    });
  });
  return { boxes: boxes.length, overlaps, overflows, faint };
})()`;

describe('a picture of lineage in a browser', () => {
  const catalog = catalogForSuite();
  let browser: Browser;
  let waitFor: string;

  beforeAll(async () => {
    const writes = Array.from({ length: TABLES }, (_, at) => at).flatMap((at) => [
      {
        at,
        aspectName: 'datasetProperties',
        value: { name: NAMES[at % NAMES.length], customProperties: {} },
      },
      {
        at,
        aspectName: 'upstreamLineage',
        value: {
          upstreams: listUpstreams(at).map((from) => ({ dataset: tableAt(from), type: 'TRANSFORMED' })),
          fineGrainedLineages: listUpstreams(at).map((from) => ({
            upstreamType: 'FIELD_SET',
            upstreams: [`urn:li:schemaField:(${tableAt(from)},id_${String(from)})`],
            downstreamType: 'FIELD',
            downstreams: [`urn:li:schemaField:(${tableAt(at)},id_${String(at)})`],
          })),
        },
      },
    ]);
    const proposals = writes.map(({ at, aspectName, value }) => ({
      entityType: 'dataset',
      entityUrn: tableAt(at),
      changeType: 'UPSERT',
      aspectName,
      aspect: { value: stringifyJson(value), contentType: 'application/json' },
    }));
    const [written] = await Promise.all([
      catalog.http.post('/aspects?action=ingestProposalBatch', stringifyJson({ proposals })),
      launchBrowser().then((launched) => (browser = launched)),
    ]);
    if (written.status !== 200) throw new Error(written.body);
    waitFor = written.headers['x-stratalog-position'] ?? '';
    await catalog.http.caughtUp();
  });
  afterAll(() => browser.close());

  it.each(SCREENS)('is legible with 60 entities on %s', async (_name, options) => {
    for (const columns of [false, true]) {
      const { page, faults } = await openPage(browser, catalog.url, options);
      const target = `/lineage/${encodeURIComponent(tableAt(0))}.svg?maxHops=10&wait=${encodeURIComponent(waitFor)}&columns=${String(columns)}`;
      await page.goto(catalog.url + target);
      const shown = await page.evaluate<Shown>(MEASURE);
      expect(shown).toMatchObject({ overlaps: [], overflows: [], faint: [] });
      expect(shown.boxes).toBe(TABLES);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });
});
