import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { gunzipSync, gzip, gzipSync } from 'node:zlib';
import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineRoute } from '../routing/define-route';
import { Route } from '../routing/route.decorators';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

/** Runs long enough for an unread decoder to find that it has no input. */
@Controller()
class SlowController {
  @Route(defineRoute({ path: 'models/slow', app: 'query' }))
  async read(): Promise<string> {
    for (let round = 0; round < 5; round++) await pack('x');
    return 'slow';
  }
}
@Module({ imports: [SampleModule], controllers: [SlowController] })
class SlowModule {}

const pack = promisify(gzip);
const ENCODINGS = ['gzip', 'x-gzip', 'deflate', 'br'];
const METHODS = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'POST', 'PROPFIND', 'QUERY'];
const TARGETS = [
  '/models/slow',
  '/entitiesV2/urn:li:tag:x',
  '/relationships?urn=x',
  '/health',
  '/entities?action=ingest',
  '/nope',
];
/** Bodies announced as encoded: no body, an empty one, noise, and a truncated one. */
const BODIES: readonly (readonly [name: string, headers: readonly string[], body: Buffer])[] = [
  ['no body', [], Buffer.alloc(0)],
  ['an empty body', ['Content-Length: 0'], Buffer.alloc(0)],
  ['noise', ['Content-Length: 5'], Buffer.from('noise')],
  ['half a body', ['Content-Length: 12'], gzipSync('{}').subarray(0, 12)],
  ['empty chunks', ['Transfer-Encoding: chunked'], Buffer.from('0\r\n\r\n')],
];

describe('the content encoding of a body that no route reads', () => {
  let wire: BootedWire;
  beforeAll(async () => {
    wire = await bootWire(SlowModule, {
      auth: { mode: 'all', tokens: [{ token: 'sesame', actor: 'urn:li:corpuser:admin' }] },
    });
  });
  afterAll(() => wire.application.close());

  const request = (method: string, target: string, headers: readonly string[], body: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')),
      body,
    ]);
  const TOKEN = 'Authorization: Bearer sesame';

  describe.each(ENCODINGS)('declared as %s', (encoding) => {
    it.each(BODIES)('is ignored: %s', async (_name, headers, body) => {
      for (const method of METHODS) {
        for (const target of TARGETS) {
          for (const token of [[TOKEN], []]) {
            const all = [`Content-Encoding: ${encoding}`, ...token, ...headers];
            const answer = await wire.send(request(method, target, all, body));
            expect([method, target, answer.status < 500]).toEqual([method, target, true]);
          }
        }
      }
      expect(wire.faults).toEqual([]);
      expect((await wire.get('/health')).status).toBe(200);
    });
  });

  const pipelined = async (requests: Buffer, count: number): Promise<string> => {
    const socket = connect(wire.port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    const whole = new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('data', (chunk: string) => {
        received += chunk;
        if (received.split('HTTP/1.1 ').length > count) resolve();
      });
    });
    socket.write(requests);
    await whole;
    socket.destroy();
    return received;
  };

  it.each([[[]], [['Content-Encoding: br']]])('is ignored for 400 calls in a row: %j', async (headers) => {
    const one = request('GET', '/health', headers, Buffer.alloc(0));
    const received = await pipelined(Buffer.concat(Array.from({ length: 400 }, () => one)), 400);
    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(400);
  });

  it('is still decoded when a route reads the body', async () => {
    const body = gzipSync('{"n":1}');
    const headers = ['Content-Encoding: gzip', TOKEN, `Content-Length: ${body.length}`];
    const answer = await wire.send(request('POST', '/entities?action=echo', headers, body));
    expect([answer.status, answer.json]).toMatchObject([200, { value: { body: { n: 1 } } }]);
  });

  it.each([
    ['CONNECT', 'connect', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n'],
    ['what is no HTTP', 'clientError', 'hello\r\n\r\n'],
    ['a bare target', 'clientError', 'GET /entitiesV2/urn:li:tag:日 HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'an upgrade',
      'request',
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
  ])(
    'harms no other request when the connection breaks before the answer to %s',
    async (_name, event, bytes) => {
      const server = wire.application.getHttpServer();
      const accepted = once(server, 'connection') as Promise<[Socket]>;
      const socket = connect(wire.port, '127.0.0.1');
      const [serverSide] = await accepted;
      const closed = new Promise((resolve) => serverSide.once('close', resolve));
      server.prependOnceListener(event, () => socket.resetAndDestroy());
      socket.write(bytes);
      await closed;
      expect((await wire.get('/health')).status).toBe(200);
    },
  );

  it('compresses the answer to a bare target like any other', async () => {
    const answer = await wire.send(
      `GET /entitiesV2/urn:li:tag:${'日'.repeat(1_500)} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n${TOKEN}\r\n\r\n`,
    );
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'gzip']);
    expect(JSON.parse(gunzipSync(answer.bytes).toString())).toMatchObject({
      urn: `urn:li:tag:${'日'.repeat(1_500)}`,
    });
  });
});
