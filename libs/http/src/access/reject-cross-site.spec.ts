import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

describe('a call that a browser sends', () => {
  let wire: BootedWire;
  beforeAll(async () => {
    wire = await bootWire(SampleModule);
  });
  afterAll(async () => {
    await wire.application.close();
  });

  const post = (...headers: readonly string[]) =>
    wire.send(
      ['POST /entities?action=echo HTTP/1.1', 'Content-Length: 2', ...headers, '', '{}'].join('\r\n'),
    );

  it.each([
    ['another site', ['Host: 127.0.0.1:8080', 'Sec-Fetch-Site: cross-site']],
    ['another host of the site', ['Host: catalog.example', 'Sec-Fetch-Site: same-site']],
    ['a site that the header names in no known word', ['Host: catalog', 'Sec-Fetch-Site: near-site']],
    ['two sites', ['Host: catalog', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: none']],
    ['another origin', ['Host: 127.0.0.1:8080', 'Origin: https://evil.example']],
    ['another port', ['Host: 127.0.0.1:8080', 'Origin: http://127.0.0.1:3000']],
    ['another port than the default one', ['Host: catalog:8080', 'Origin: http://catalog']],
    ['nowhere', ['Host: 127.0.0.1:8080', 'Origin: null']],
    ['an extension', ['Host: catalog', 'Origin: moz-extension://catalog']],
    ['what is no origin', ['Host: catalog', 'Origin: http://catalog, http://catalog']],
    ['a host, to none', ['Origin: http://catalog']],
  ])('a call that a browser sends from a page of %s is rejected', async (_name, headers) => {
    const answer = await post('Content-Type: text/plain', ...headers);
    expect([answer.status, answer.headers['x-restli-error-response']]).toEqual([403, 'true']);
    expect(answer.json).toMatchObject({
      status: 403,
      message: expect.stringContaining('Pages of other sites may not call the catalog'),
    });
  });

  it.each([
    ['its own', ['Host: 127.0.0.1:8080', 'Origin: http://127.0.0.1:8080', 'Sec-Fetch-Site: same-origin']],
    ['its own, spelled otherwise', ['Host: Catalog:80', 'Origin: http://catalog']],
    ['its own behind TLS', ['Host: catalog.example', 'Origin: https://catalog.example']],
    ['an IPv6 address', ['Host: [::1]:8080', 'Origin: http://[::1]:8080']],
    ['no page', ['Host: catalog', 'Sec-Fetch-Site: none']],
  ])('a call that a browser sends from %s is taken', async (_name, headers) => {
    expect((await post(...headers)).status).toBe(200);
  });

  it('is rejected for every method that writes, before its token is checked', async () => {
    const foreign = ['Origin: https://evil.example', 'Authorization: Bearer x'];
    const remove = await wire.send(
      ['DELETE /relationships?urn=urn:li:tag:a HTTP/1.1', 'Host: catalog', ...foreign, '', ''].join('\r\n'),
    );
    const bare = await wire.send(
      ['DELETE /relationships?urn=urn:li:tag:a b HTTP/1.1', 'Host: catalog', ...foreign, '', ''].join('\r\n'),
    );
    expect([remove.status, bare.status]).toEqual([403, 403]);
  });

  it('is rejected by GET too where the route writes, as a picture in a page would call it', async () => {
    const picture = 'Sec-Fetch-Site: cross-site';
    expect((await wire.get('/restore', [picture])).status).toBe(403);
    expect((await wire.get('/restore', ['Sec-Fetch-Site: none'])).status).toBe(200);
  });

  it('a call that a browser sends to read passes from any site, because browsers withhold the answer from the page', async () => {
    const foreign = ['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site'];
    const answer = await wire.get('/entitiesV2/urn:li:tag:a', foreign);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
