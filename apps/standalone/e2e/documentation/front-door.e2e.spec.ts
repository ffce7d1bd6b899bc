import { describe, expect, it } from '@jest/globals';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

/** The Accept header of a browser for a typed address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };

describe('the front door', () => {
  const catalog = catalogForSuite();
  const get = (target: string, headers: Record<string, string> = {}) =>
    catalog.http.send({ method: 'GET', target, headers });

  it.each([
    ['/', '/ui/'],
    ['/gms', '/gms/ui/'],
    ['/api/gms/', '/api/gms/ui/'],
  ])('leads a browser from %s to the web pages', async (target, page) => {
    const { status, headers } = await get(target, BROWSER);
    expect({ status, ...headers }).toMatchObject({ status: 302, location: page, vary: 'accept' });
    const shown = await get(page, BROWSER);
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('gives a program links that work', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json, text/html' }]) {
      const { status, json } = await get('/gms/', headers);
      expect({ status, json }).toEqual({
        status: 200,
        json: {
          name: 'stratalog',
          version: expect.any(String),
          documentation: '/gms/restli/docs',
          openapi: '/gms/openapi.json',
          health: '/gms/health',
          config: '/gms/config',
        },
      });
    }
    const { json } = await get('/');
    for (const path of Object.values(json as Record<string, string>).filter((text) => text.startsWith('/')))
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it.each(['/favicon.ico', '/favicon.svg', '/gms/favicon.ico'])('has an icon at %s', async (target) => {
    const { status, headers, body } = await get(target, { accept: 'image/avif,image/webp,*/*' });
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(body).toContain('<svg');
  });

  it('shows a browser a page for a wrong address, with a link to the documentation', async () => {
    const { status, headers, body } = await get('/gms/entitys/%3Cb%3E', BROWSER);
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 404,
      type: 'text/html; charset=utf-8',
    });
    expect(body).toContain('did you mean /entities?');
    expect(body).not.toContain('<b>');
    expect(body).toContain('href="/gms/restli/docs#to-know"');
    // The policy permits the page's own style only.
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const docs = await get('/restli/docs/aspects/ownershp', BROWSER);
    expect([docs.status, docs.body]).toEqual([404, expect.stringContaining('did you mean ownership?')]);
  });

  it('answers other clients as the contract says', async () => {
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const answer = await get('/nothing', headers);
      expect([answer.status, answer.headers['content-type'], answer.json]).toEqual([
        404,
        'application/json',
        expect.objectContaining({ status: 404, exceptionClass: expect.any(String) }),
      ]);
    }
    const posted = await catalog.http.send({
      method: 'POST',
      target: '/nothing',
      headers: BROWSER,
      body: '{}',
    });
    expect([posted.status, posted.headers['content-type']]).toEqual([404, 'application/json']);
    const registry = await get('/schema-registry/api/nothing', BROWSER);
    expect(registry.json).toMatchObject({ error_code: 404 });
  });
});
