import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** What a first visit may load. **Units**: bytes, compressed. */
const MAX_SCRIPT = 180 * 1024;
const MAX_STYLES = 25 * 1024;
const MAX_LATER_SCRIPT = 120 * 1024;

describe('the files of the web pages', () => {
  const catalog = catalogForSuite();
  const get = (target: string, headers: Record<string, string> = {}) =>
    catalog.http.send({ method: 'GET', target, headers });
  const filesIn = (text: string): readonly string[] => [
    ...new Set([...text.matchAll(/[\w.-]+-[A-Za-z\d]{8}\.(?:js|css|woff2)/g)].map(([name]) => name)),
  ];
  /** Follows what files name, from the page on. */
  const readAll = async (): Promise<ReadonlyMap<string, string>> => {
    const found = new Map<string, string>();
    const names = [...filesIn((await get('/ui/', BROWSER)).body)];
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      if (found.has(name)) continue;
      const { status, body } = await get(`/ui/${name}`);
      expect([name, status]).toEqual([name, 200]);
      found.set(name, body);
      if (!name.endsWith('.woff2')) names.push(...filesIn(body));
    }
    return found;
  };

  it('the same page answers every address below /ui, with its own policy', async () => {
    const page = await get('/ui/', BROWSER);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    expect(page.body).not.toMatch(/<style|style=|<script(?! type="module" src)/);
    for (const path of [
      '/ui',
      '/ui/search?q=a%2Fb',
      '/ui/search?action=x',

      '/ui/e/urn%3Ali%3Atag%3Aa%2Fb.js/history',
    ]) {
      const { status, body } = await get(path, BROWSER);
      expect([path, status, body]).toEqual([path, 200, page.body]);
    }
  });

  it('files have names that change with their content, and stay with the browser', async () => {
    const [script = ''] = filesIn((await get('/ui/')).body).filter((name) => name.endsWith('.js'));
    const { headers } = await get(`/ui/${script}`);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await get('/ui/main-00000000.js')).status).toBe(404);
    expect((await get('/ui/..%2fserver.js')).status).not.toBe(500);
    expect((await catalog.http.post('/ui/', '{}')).status).toBe(405);
  });

  it('links follow the prefix of the address', async () => {
    const { body } = await get('/api/gms/ui/search', BROWSER);
    expect(body).toContain('src="/api/gms/ui/main-');
    const [script = ''] = filesIn(body).filter((name) => name.endsWith('.js'));
    expect((await get(`/api/gms/ui/${script}`)).status).toBe(200);
  });

  it('the first visit, and each part that loads later, stay within their budgets', async () => {
    const files = await readAll();
    const sizeOf = (names: readonly string[]): number =>
      names.reduce((sum, name) => sum + gzipSync(files.get(name) ?? '').byteLength, 0);
    const scripts = [...files.keys()].filter((name) => name.endsWith('.js'));
    const [entry = ''] = scripts.filter((name) => name.startsWith('main-'));
    // What the entry imports at once has no parenthesis before its name.
    const atOnce = (name: string): readonly string[] =>
      [...(files.get(name) ?? '').matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)].map(
        ([, each = '']) => each,
      );
    const first = new Set([entry]);
    for (const name of first) for (const each of atOnce(name)) first.add(each);
    const styles = [...files.keys()].filter((name) => name.endsWith('.css'));
    expect(sizeOf([...first])).toBeLessThan(MAX_SCRIPT);
    expect(sizeOf(styles)).toBeLessThan(MAX_STYLES);
    expect([...files.keys()].filter((name) => name.endsWith('.woff2'))).toHaveLength(2);
    expect(scripts.filter((name) => sizeOf([name]) > MAX_LATER_SCRIPT)).toEqual([]);
  });
});
