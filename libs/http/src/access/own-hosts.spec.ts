import { afterEach, describe, expect, it } from '@jest/globals';
import { OwnHosts } from './own-hosts';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

const LOOPBACK = { address: '127.0.0.1', family: 'IPv4', port: 8080 };
const isRejected = (hosts: OwnHosts, host: string | undefined, address = LOOPBACK.address): boolean => {
  try {
    hosts.rejectCrossSite(host, { address: () => ({ ...LOOPBACK, address }) });
    return false;
  } catch {
    return true;
  }
};

describe('a server on the loopback address', () => {
  const hosts = new OwnHosts('https://Catalog.example:8443');

  it.each([
    'localhost',
    'localhost:8080',
    'LocalHost.:1',
    '127.0.0.1:9',
    '127.1',
    '127.0.0.53',
    '[::1]:8080',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    'catalog.example',
    'CATALOG.example:8080',
    undefined,
  ])('is called %s', (host) => {
    expect(isRejected(hosts, host)).toBe(false);
    expect(isRejected(hosts, host, '::1')).toBe(false);
  });

  it.each([
    'rebound.example',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    'rebound.example:8080',
    '10.0.0.1',
    '[fe80::1]',
    'x@localhost',
    'rebound.example/@localhost',
    'rebound.example#localhost',
    'localhost rebound.example',
    '',
    '[',
  ])('is not called "%s"', (host) => {
    expect(isRejected(hosts, host)).toBe(true);
    expect(isRejected(hosts, host, '::1')).toBe(true);
  });
});

describe('a server on other addresses', () => {
  it.each(['0.0.0.0', '::', '10.1.2.3'])('takes every name: %s', (address) => {
    expect(isRejected(new OwnHosts(undefined), 'catalog.example', address)).toBe(false);
  });
});

describe('a request to a page’s own name that resolves to the loopback address', () => {
  let wire: BootedWire;
  afterEach(() => wire.application.close());
  const send = (line: string, ...headers: string[]) =>
    wire.send([`${line} HTTP/1.1`, ...headers, 'Content-Length: 0', '', ''].join('\r\n'));

  it.each([
    'GET /health',
    'GET /entitiesV2/urn:li:tag:a',
    'GET /entitiesV2/urn:li:tag:日',
    'POST /entities?action=ingest',
    'OPTIONS /relationships',
    'GET /nothing',
  ])('is rejected: %s', async (line) => {
    wire = await bootWire(SampleModule, { ownHosts: new OwnHosts(undefined) });
    const rejected = await send(line, 'Host: rebound.example', 'Origin: http://rebound.example');
    expect([rejected.status, rejected.json]).toMatchObject([
      403,
      { status: 403, message: expect.stringContaining('Host: rebound.example is not a name of this server') },
    ]);
    expect((await send(line, 'Host: localhost:8080')).status).not.toBe(403);
  });

  it('is rejected whatever `X-Forwarded-Host` says', async () => {
    wire = await bootWire(SampleModule, { ownHosts: new OwnHosts(undefined) });
    const rejected = await send('GET /health', 'Host: rebound.example', 'X-Forwarded-Host: localhost');
    expect(rejected.status).toBe(403);
  });

  it('accepts pages that a proxy forwards under its own name', async () => {
    wire = await bootWire(SampleModule, { ownHosts: new OwnHosts(undefined) });
    const page = ['Host: localhost', 'X-Forwarded-Host: catalog.example'];
    const call = 'POST /entities?action=ingest';
    expect((await send(call, ...page, 'Origin: https://catalog.example')).status).toBe(200);
    expect((await send(call, ...page, 'Origin: https://other.example')).status).toBe(403);
  });
});
