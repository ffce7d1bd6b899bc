import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { generate } from 'selfsigned';
import { startProxy, type ProxyOptions, type RunningProxy } from './start-proxy';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const ROLES = ['ingest', 'query', 'graph', 'admin', 'writer', 'indexer'];
interface Role {
  readonly name: string;
  readonly status: string;
}
const areReady = (names: readonly string[]): readonly Role[] =>
  names.map((name) => ({ name, status: 'ready' }));
/** The roles that each app reports of the catalog, and those of the apps that are not ready. */
let catalog: readonly object[] | undefined;
let notReady: readonly string[];
beforeEach(() => {
  catalog = areReady(ROLES);
  notReady = [];
});

/** The answer of an app about its readiness. */
function readyAnswer(name: string): { readonly code: number; readonly body: object } {
  const own = name === 'query' ? ['query', 'search'] : [name];
  const roles = own.map((role) => ({ name: role, status: notReady.includes(role) ? 'not-ready' : 'ready' }));
  const isReady = roles.some(({ status }) => status === 'ready');
  return { code: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not-ready', roles, catalog } };
}

/** Starts an app that answers with the request that it received. */
async function startApp(name: string): Promise<string> {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      if (request.url === '/health/ready') {
        const answer = readyAnswer(name);
        response.writeHead(answer.code).end(JSON.stringify(answer.body));
        return;
      }
      response.writeHead(request.url?.includes('teapot') === true ? 418 : 200, { 'x-app': name });
      response.end(JSON.stringify({ name, method: request.method, url: request.url, body }));
    });
  });
  return urlOf(server);
}

async function urlOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
}

const WARNINGS = '["/proposal/aspct is unknown; did you mean aspect?"]';

/** Returns the app's record of a write with these headers, and its answer to the caller. */
async function strictAnswer(headers: Record<string, string>): Promise<Record<string, unknown>> {
  const app = createServer((request, response) => {
    response.writeHead(200, { 'X-Stratalog-Warnings': WARNINGS });
    response.end(JSON.stringify({ 'x-stratalog-strict': request.headers['x-stratalog-strict'] }));
  });
  const { url } = await startAll({ ingest: [await urlOf(app)] });
  const init = { method: 'POST', body: '{}', headers };
  const answer = await fetch(`${url}/aspects?action=ingestProposal`, init);
  return { ...((await answer.json()) as object), told: answer.headers.get('x-stratalog-warnings') };
}

async function startAll(
  more: Partial<Record<'ingest', readonly string[]>> = {},
  options: Partial<ProxyOptions> = {},
): Promise<RunningProxy> {
  const [ingest, query, graph, admin] = await Promise.all(
    ['ingest', 'query', 'graph', 'admin'].map(startApp),
  );
  const apps = { ingest: [ingest ?? ''], query: [query ?? ''], graph: [graph ?? ''], admin: [admin ?? ''] };
  const proxy = await startProxy({
    host: '127.0.0.1',
    port: 0,
    apps: { ...apps, ...more },
    vendor: 'linkedin',
    ...options,
  });
  stops.push(() => proxy.stop());
  return proxy;
}

const UNREACHABLE = 'http://127.0.0.1:9';

describe('the proxy', () => {
  it('forwards a request unchanged to the app that serves it', async () => {
    const { url } = await startAll();
    const target = '/aspects?action=ingestProposal&x=%2F%20a';
    const answer = await fetch(`${url}${target}`, { method: 'POST', body: '{"é":1}' });
    expect(await answer.json()).toEqual({ name: 'ingest', method: 'POST', url: target, body: '{"é":1}' });
    const read = '/entitiesV2/urn%3Ali%3Adataset%3A(urn:li:dataPlatform:x,a%2Fb,PROD)';
    expect(await (await fetch(url + read)).json()).toMatchObject({ name: 'query', url: read });
  });

  it('speaks TLS with the certificate of the settings', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stratalog-proxy-'));
    stops.push(() => rm(folder, { recursive: true }));
    const tls = { certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    });
    await writeFile(tls.certificateFile, cert);
    await writeFile(tls.keyFile, key);
    const { url } = await startAll({}, { tls });
    expect(url).toMatch(/^https:/);
    const ask = async (path: string): Promise<unknown> => {
      const asked = requestTls({
        host: 'localhost',
        family: 4,
        port: new URL(url).port,
        path,
        ca: cert,
        agent: false,
      });
      asked.end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      return JSON.parse(await text(answer));
    };
    expect(await ask('/entitiesV2/urn:li:tag:a')).toMatchObject({ name: 'query' });
    expect(await ask('/health')).toMatchObject({ status: 'ready' });
  });

  it('names the setting of a port that is taken', async () => {
    const { url } = await startAll();
    const { port } = new URL(url);
    const apps = { ingest: [url], query: [url], graph: [url], admin: [url] };
    await expect(
      startProxy({ host: '127.0.0.1', port: Number(port), apps, vendor: 'linkedin' }),
    ).rejects.toThrow(`STRATALOG_PORT ${port} on 127.0.0.1 is taken by another process`);
  });

  it('cancels a request at its app when the client disconnects', async () => {
    const app = createServer().listen(0, '127.0.0.1');
    await once(app, 'listening');
    stops.push(async () => {
      app.closeAllConnections();
      await new Promise((resolve) => app.close(resolve));
    });
    const address = app.address();
    const { url } = await startAll({
      ingest: [`http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`],
    });
    const client = new AbortController();
    const asked = fetch(`${url}/runs?action=list`, { method: 'POST', body: '{}', signal: client.signal });
    const [, response] = (await once(app, 'request')) as [unknown, ServerResponse];
    const ended = once(response, 'close');
    client.abort();
    await expect(asked).rejects.toThrow('aborted');
    await ended;
    expect(response.writableFinished).toBe(false);
  });

  it('returns status and headers', async () => {
    const { url } = await startAll();
    const answer = await fetch(`${url}/operations?x=teapot`);
    expect([answer.status, answer.headers.get('x-app')]).toEqual([418, 'admin']);
  });

  it('forwards the strict header, and returns the warnings', async () => {
    const { 'x-stratalog-strict': asked, told } = await strictAnswer({ 'X-Stratalog-Strict': 'true' });
    expect([asked, told]).toEqual(['true', WARNINGS]);
    expect(await strictAnswer({})).toEqual({ told: WARNINGS });
  });

  it('answers 503 in the contract’s shape when an app is unreachable', async () => {
    const { url } = await startAll({ ingest: [UNREACHABLE] });
    const answer = await fetch(`${url}/aspects?action=ingestProposal`, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({
      status: 503,
      message: 'The ingest app does not answer; repeat the request',
    });
  });

  it('sends a request that finds no connection, with its whole body, to another instance', async () => {
    const { url } = await startAll({ ingest: [UNREACHABLE, await startApp('second'), UNREACHABLE] });
    const body = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    for (let i = 0; i < 6; i += 1) {
      const answer = await fetch(`${url}/aspects?action=ingestProposal`, { method: 'POST', body });
      expect([answer.status, await answer.json()]).toMatchObject([200, { name: 'second', body }]);
    }
  });

  it('repeats a read, and no write, when an instance ends the connection without an answer', async () => {
    let ended = 0;
    const broken = createServer((request, response) => {
      if (request.url === '/health/ready') {
        response.end(JSON.stringify(readyAnswer('ingest').body));
        return;
      }
      ended += 1;
      request.socket.destroy();
    });
    const { url } = await startAll({ ingest: [await urlOf(broken), await startApp('second')] });
    const codes = async (path: string, init?: RequestInit): Promise<readonly number[]> => {
      const statuses: number[] = [];
      // Until the broken one has got a request; it rests after each.
      const before = ended;
      await until(async () => {
        statuses.push((await fetch(url + path, init)).status);
        return ended > before;
      });
      return [...new Set(statuses)].sort();
    };
    expect(await codes('/runs/x')).toEqual([200]);
    expect(await codes('/aspects?action=ingestProposal', { method: 'POST', body: '{}' })).toContain(503);
  });

  it('sends nothing to an instance that says it is not ready, while another is', async () => {
    const answered = new Set<string>();
    const draining = createServer((request, response) => {
      if (request.url === '/health/ready') response.writeHead(503).end(JSON.stringify({ roles: [] }));
      else response.end(JSON.stringify({ name: 'draining' }));
    });
    const { url } = await startAll({ ingest: [await urlOf(draining), await startApp('second')] });
    await (await fetch(`${url}/health/ready`)).text();
    for (let i = 0; i < 4; i += 1) {
      const answer = await fetch(`${url}/aspects?action=ingestProposal`, { method: 'POST', body: '{}' });
      answered.add(((await answer.json()) as { name: string }).name);
    }
    expect([...answered]).toEqual(['second']);
  });

  it('drains: is not ready, answers, and ends each connection with its answer', async () => {
    const proxy = await startAll();
    const ask = (path: string) => fetch(proxy.url + path);
    expect((await ask('/health/ready')).status).toBe(200);
    proxy.drain();
    const ready = await ask('/health/ready');
    expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
    const read = await ask('/entitiesV2/urn:li:tag:a');
    expect([read.status, read.headers.get('connection')]).toEqual([200, 'close']);
  });
});

describe('the health of the proxy', () => {
  const ask = async (url: string, target: string): Promise<unknown> => {
    const answer = await fetch(`${url}${target}`);
    return { code: answer.status, ...((await answer.json()) as object) };
  };
  const routed = ['ingest', 'query', 'graph', 'admin', 'search'];

  it('is whole when every app and every role has a ready instance', async () => {
    const { url } = await startAll();
    const apps = ['ingest', 'query', 'graph', 'admin'].map((app) => ({ app, status: 'ready' }));
    expect(await ask(url, '/health')).toEqual({ code: 200, status: 'ready', apps, roles: areReady(ROLES) });
    expect(await ask(url, '/api/gms/health/ready')).toEqual({
      code: 200,
      status: 'ready',
      roles: areReady(routed),
    });
    expect(await ask(url, '/gms/health/live')).toEqual({ code: 200, status: 'live' });
  });

  it('names no address of an app that cannot be reached, and the proxy stays ready for all other calls', async () => {
    const { url } = await startAll({ ingest: [UNREACHABLE] });
    expect(await ask(url, '/health')).toMatchObject({
      code: 503,
      status: 'degraded',
      apps: expect.arrayContaining([{ app: 'ingest', status: 'unreachable' }]),
    });
    expect(await ask(url, '/health/ready')).toMatchObject({
      code: 200,
      roles: expect.arrayContaining([{ name: 'ingest', status: 'not-ready' }]),
    });
    expect(await ask(url, '/health/live')).toMatchObject({ code: 200 });
  });

  it('answers 200 while only searches are away', async () => {
    notReady = ['search'];
    catalog = areReady(ROLES).map((role) =>
      role.name === 'indexer' ? { ...role, status: 'degraded' } : role,
    );
    const { url } = await startAll();
    expect(await ask(url, '/health')).toMatchObject({ code: 200, status: 'degraded' });
    expect(await ask(url, '/health/ready')).toMatchObject({
      code: 200,
      roles: expect.arrayContaining([{ name: 'search', status: 'not-ready' }]),
    });
  });

  it('answers 503 without a writer, and while no app knows the roles of the catalog', async () => {
    catalog = areReady(ROLES).map((role) => (role.name === 'writer' ? { ...role, status: 'missing' } : role));
    const { url } = await startAll();
    expect(await ask(url, '/health')).toMatchObject({ code: 503, status: 'degraded', roles: catalog });
    catalog = undefined;
    expect(await ask((await startAll()).url, '/health')).toMatchObject({
      code: 503,
      status: 'degraded',
      roles: [],
    });
  });

  it('is not ready when no app is, and is live nevertheless', async () => {
    notReady = routed;
    const { url } = await startAll();
    expect(await ask(url, '/health/ready')).toMatchObject({ code: 503, status: 'not-ready' });
    expect(await ask(url, '/health/live')).toMatchObject({ code: 200 });
  });

  it('does not change while an app is busy and leaves a question unanswered', async () => {
    let answers = 0;
    const app = createServer((_request, response) => {
      answers += 1;
      // The first answer comes, the second never does.
      if (answers === 1) response.end(JSON.stringify(readyAnswer('ingest').body));
    });
    const { url } = await startAll({ ingest: [await urlOf(app)] });
    expect(await ask(url, '/health')).toMatchObject({ code: 200, status: 'ready' });
    await until(() => answers === 2);
    expect(await ask(url, '/health')).toMatchObject({ code: 200, status: 'ready' });
  });
});
