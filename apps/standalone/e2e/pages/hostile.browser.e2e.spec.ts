import { describe, expect, it } from '@jest/globals';
import { overflow } from '../testing/browser/browser';
import { entityPath, pagesForSuite } from '../testing/browser/pages-suite';

const SCRIPT = '<script>globalThis.pwned = 1</script><img src=x onerror="globalThis.pwned = 1">';
const BIDI = '\u202Egnp.exe\u202C \u2066inside';
const EVIL = 'urn:li:dataset:(urn:li:dataPlatform:hive,evil,PROD)';
const LONG = 'x'.repeat(100_000);
const MARKDOWN = `Hostile words. [a](javascript:globalThis.pwned=1) ![b](https://example.org/c.png) <style>*{display:none}</style>
${SCRIPT}

# A heading of its own`;

describe('hostile metadata on the web pages', () => {
  const suite = pagesForSuite();
  const pwned = () => suite.page.evaluate('globalThis.pwned');

  it('scripts, styles, bidi characters and colours in metadata are text', async () => {
    const { http } = suite.catalog;
    await http.write('urn:li:tag:evil', 'tagProperties', {
      name: SCRIPT,
      colorHex: 'red;background:url(https://example.org)',
    });
    await http.write(EVIL, 'globalTags', { tags: [{ tag: 'urn:li:tag:evil' }] });
    await http.write(EVIL, 'datasetProperties', {
      name: `${SCRIPT}${BIDI}`,
      description: MARKDOWN,
      customProperties: { [SCRIPT]: BIDI, __proto__x: SCRIPT, url: 'javascript:globalThis.pwned=1' },
    });
    await http.write(EVIL, 'institutionalMemory', {
      elements: [
        {
          url: 'javascript:globalThis.pwned=1',
          description: SCRIPT,
          createStamp: { time: 1, actor: 'urn:li:corpuser:a' },
        },
      ],
    });
    await http.write(EVIL, 'schemaMetadata', {
      schemaName: SCRIPT,
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: SCRIPT } },
      fields: [
        {
          fieldPath: SCRIPT,
          nativeDataType: SCRIPT,
          description: MARKDOWN,
          type: { type: { 'com.linkedin.schema.StringType': {} } },
        },
      ],
    });
    await http.caughtUp();
    for (const path of [
      '',
      '/columns',
      `/columns?column=${encodeURIComponent(SCRIPT)}`,
      '/history',
      '/json',
    ]) {
      const page = await suite.open(entityPath(EVIL, path));
      await suite.settled();
      expect([path, await pwned(), await overflow(page)]).toEqual([path, undefined, 0]);
      const places = await page.evaluate<readonly string[]>(
        "[...document.querySelectorAll('a')].map(({ href }) => href)",
      );
      expect(places.filter((href) => href.startsWith('javascript:'))).toEqual([]);
      expect(await page.locator('main img, main style, main script').count()).toBe(0);
    }
    const page = await suite.open(entityPath(EVIL));
    await page.getByRole('region', { name: 'Description' }).getByText('Hostile words.').waitFor();
    expect(await page.locator('h1').innerText()).toContain('<script>');
    expect(await page.locator('h1').count()).toBe(1);
    await page.goto(`/ui/search?q=${encodeURIComponent('hostile')}`);
    await page.getByText('1 result').waitFor();
    expect(await pwned()).toBeUndefined();
  });

  it('texts of 100,000 characters, 10,000 tags and deep nesting stay readable', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,huge,PROD)';
    const { http } = suite.catalog;
    await http.write(urn, 'datasetProperties', { name: LONG, description: `Begins. ${LONG}` });
    await http.write(urn, 'globalTags', {
      tags: Array.from({ length: 10_000 }, (_, at) => ({ tag: `urn:li:tag:t${String(at)}` })),
    });
    await http.write(urn, 'ownership', {
      owners: [{ owner: 'urn:li:corpuser:\u202Eadmin', type: 'DATAOWNER' }],
    });
    for (const path of ['', '/history', '/json']) {
      const page = await suite.open(entityPath(urn, path), { viewport: { width: 390, height: 844 } });
      await suite.settled();
      expect([path, await overflow(page)]).toEqual([path, 0]);
      expect(await page.locator('article *').count()).toBeLessThan(4_000);
    }
    const page = await suite.open(entityPath(urn));
    await page.getByRole('button', { name: 'Show all 100,008 characters' }).click();
    await page.getByRole('button', { name: 'Show less' }).waitFor();
    await page.getByText('9,994 more').first().waitFor();
  });
});
