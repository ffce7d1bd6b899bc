import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProxy, type RunningProxy } from './start-proxy';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('the proxy', () => {
  /** The one app behind the proxy; it answers with the request that it received. */
  let app: Server;
  let proxy: RunningProxy;
  let last: Seen;
  beforeAll(async () => {
    app = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        // The proxy asks by itself, too, whether the app is ready.
        if (url !== '/health/ready') last = { method, url, headers, body };
        response.setHeader('keep-alive', 'timeout=1');
        response.setHeader('connection', 'keep-alive, x-of-the-app');
        response.setHeader('x-of-the-app', 'its hop');
        response.setHeader('x-status', 'of the answer');
        response.end('seen');
      });
    }).listen(0, '127.0.0.1');
    await once(app, 'listening');
    const urls = [`http://127.0.0.1:${String((app.address() as AddressInfo).port)}`];
    const apps = { ingest: urls, query: urls, graph: urls, admin: urls };
    proxy = await startProxy({ host: '127.0.0.1', port: 0, vendor: 'linkedin', apps });
  });
  afterAll(async () => {
    await proxy.stop();
    app.closeAllConnections();
    app.close();
  });

  /** Reads the whole answer, until the proxy closes the connection. */
  const send = async (bytes: string): Promise<{ status: number; head: string; body: string }> => {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(bytes);
    await once(socket, 'close');
    // A client that expects it gets `100 Continue` before the answer.
    const [head = '', body = ''] = text.replace('HTTP/1.1 100 Continue\r\n\r\n', '').split('\r\n\r\n', 2);
    return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body };
  };
  const request = (line: string, ...headers: string[]): string =>
    [`${line} HTTP/1.1`, 'Host: localhost:1', 'Connection: close', ...headers, '', ''].join('\r\n');

  it.each([
    ['bare UTF-8', 'GET /entitiesV2/urn:li:tag:日', '/entitiesV2/urn:li:tag:%E6%97%A5'],
    ['blanks', 'GET /entitiesV2/urn:li:tag:a b', '/entitiesV2/urn:li:tag:a%20b'],
    ['the absolute form', 'GET http://localhost/gms/config?x=1', '/gms/config?x=1'],
    ['slashes in a row', 'GET /entitiesV2/urn:li:tag:s3://a//b', '/entitiesV2/urn:li:tag:s3://a//b'],
  ])('hands on a target in %s', async (_name, line, url) => {
    const answer = await send(request(line));
    expect([answer.status, answer.body, last.url]).toEqual([200, 'seen', url]);
  });

  it.each([
    ['no address', [], '127.0.0.1'],
    ['an address', ['X-Forwarded-For: 203.0.113.7'], '203.0.113.7, 127.0.0.1'],
    [
      'a header of one hop',
      ['Connection: close, X-Forwarded-For', 'X-Forwarded-For: 203.0.113.7'],
      '127.0.0.1',
    ],
    ['a mark of the proxy itself', ['X-Stratalog-Own: x'], '127.0.0.1'],
  ])('names the client itself, once, where it names %s', async (_name, headers, forwarded) => {
    for (const path of ['/config', '/entitiesV2/urn:li:tag:日']) {
      await send(request(`GET ${path}`, ...headers));
      expect(last.headers).toMatchObject({ 'x-forwarded-for': forwarded });
      expect(last.headers).not.toHaveProperty('x-stratalog-own');
    }
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['a broken chunk', request('POST /x', 'Transfer-Encoding: chunked') + 'zz\r\n', 400],
    ['two lengths', request('POST /x', 'Content-Length: 1', 'Transfer-Encoding: chunked') + '0\r\n\r\n', 400],
    ['too many headers', request('GET /health', `X: ${'x'.repeat(20_000)}`), 431],
    ['CONNECT', request('CONNECT x:1'), 405],
    ['an expectation', request('GET /config', 'Expect: 200-ok'), 417],
    ['the name of a page', 'GET /config HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n', 403],
  ])('answers %s as the catalog does', async (_name, bytes, status) => {
    const answer = await send(bytes);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([status, { status }]);
    expect(answer.head).toContain('x-restli-error-response: true');
    expect(answer.head).toContain('x-content-type-options: nosniff');
    expect(answer.head).toContain('cross-origin-resource-policy: same-origin');
  });

  it('forwards no hop-by-hop header in either direction, and keeps the body and header names', async () => {
    const hop = [
      'Keep-Alive: timeout=9',
      'TE: trailers',
      'Trailer: X-T',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABk',
      'Proxy-Authorization: Basic eDp5',
      'Proxy-Connection: keep-alive',
      'X-Named: a',
    ];
    const named = 'Connection: close, X-Named, content-length, host, transfer-encoding';
    const answer = await send(
      [
        'POST /aspects?action=ingestProposal HTTP/1.1',
        'Host: localhost:1',
        named,
        ...hop,
        'Expect: 100-continue',
        'X-Kept: b',
        'Content-Length: 2',
        '',
        '{}',
      ].join('\r\n'),
    );
    expect(answer.status).toBe(200);
    expect(answer.head).toContain('x-status: of the answer');
    expect(answer.head).not.toMatch(/x-of-the-app|keep-alive/);
    const { headers, body } = last;
    expect(body).toBe('{}');
    expect(headers).toMatchObject({
      'x-kept': 'b',
      'content-length': '2',
      'x-forwarded-host': 'localhost:1',
    });
    expect(headers.host).toBe(
      new URL(`http://127.0.0.1:${String((app.address() as AddressInfo).port)}`).host,
    );
    const handedOn = Object.keys(headers).filter(
      (name) =>
        ['keep-alive', 'te', 'trailer', 'upgrade', 'http2-settings', 'expect', 'x-named'].includes(name) ||
        name.startsWith('proxy-'),
    );
    expect(handedOn).toEqual([]);
  });
});
