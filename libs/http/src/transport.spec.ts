import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootWire, type BootedWire } from './testing/boot-wire';
import { SampleModule } from './testing/sample.module';

const MAX_BODY_BYTES = 100_000;
const ORIGIN = 'https://catalog.example';
const FORM = 'Content-Type: application/x-www-form-urlencoded';

describe('the transport', () => {
  let wire: BootedWire;
  beforeAll(async () => {
    wire = await bootWire(SampleModule, {
      maxBodyBytes: MAX_BODY_BYTES,
      corsOrigins: [ORIGIN],
      auth: { mode: 'operations', tokens: [{ token: 'x'.repeat(20), actor: 'urn:li:corpuser:admin' }] },
    });
  });
  afterAll(async () => {
    await wire.application.close();
  });

  const postBytes = (target: string, bytes: Buffer, headers: readonly string[]) =>
    wire.send(
      Buffer.concat([
        Buffer.from(
          [`POST ${target} HTTP/1.1`, 'Host: x', ...headers, `Content-Length: ${bytes.length}`, '', ''].join(
            '\r\n',
          ),
        ),
        bytes,
      ]),
    );

  describe('a query in a tunnel', () => {
    const override = (method: string): string[] => [`X-HTTP-Method-Override: ${method}`, FORM];

    it('is read like one in the target, however long it is', async () => {
      const types = Array.from({ length: 2_000 }, (_, at) => `Type${at}`);
      const body = `urn=urn%3Ali%3Atag%3Aa%252Cb&types=List(${types.join(',')})`;
      const answer = await wire.post('/gms/relationships', body, override('GET'));
      expect([answer.status, answer.json]).toEqual([200, { urn: 'urn:li:tag:a%2Cb', types }]);
    });

    it('goes on where the target has a query', async () => {
      const answer = await wire.post(
        '/entitiesV2/urn:li:tag:100%25?x=1',
        'aspects=List(a,b)',
        override('get'),
      );
      expect(answer.json).toEqual({ urn: 'urn:li:tag:100%', aspects: ['a', 'b'] });
    });

    it('may mean to delete', async () => {
      const answer = await wire.post('/relationships', 'urn=urn:li:tag:a', override('DELETE'));
      expect(answer.json).toEqual({ deleted: 'urn:li:tag:a' });
    });

    it('answers what is wrong with what is meant', async () => {
      const missing = await wire.post('/relationships', '', override('GET'));
      expect(missing.json).toMatchObject({ status: 400, message: "Parameter 'urn' is required" });
      const action = await wire.post('/entities?action=search', 'input=x', override('GET'));
      expect(action.json).toMatchObject({ status: 400, message: expect.stringContaining('(was GET)') });
    });

    it.each([
      ['another method', ['X-HTTP-Method-Override: PATCH', FORM], 'is not GET or DELETE'],
      [
        'a body of another type',
        ['X-HTTP-Method-Override: GET', 'Content-Type: multipart/mixed; boundary=x'],
        'x-www-form-urlencoded',
      ],
      ['a packed body', [...override('GET'), 'Content-Encoding: gzip'], 'not packed'],
    ])('is refused with %s', async (_name, headers, message) => {
      const answer = await wire.post('/relationships', 'urn=urn:li:tag:a', headers);
      expect(answer.json).toMatchObject({ status: 400, message: expect.stringContaining(message) });
    });

    it('is refused when it is larger than a body may be', async () => {
      const declared = await wire.post(
        '/relationships',
        `urn=${'x'.repeat(MAX_BODY_BYTES)}`,
        override('GET'),
      );
      const chunk = `${(150_000).toString(16)}\r\n${'x'.repeat(150_000)}\r\n0\r\n\r\n`;
      const head = [
        'POST /relationships HTTP/1.1',
        'Host: x',
        ...override('GET'),
        'Transfer-Encoding: chunked',
      ];
      const chunked = await wire.send(`${head.join('\r\n')}\r\n\r\n${chunk}`);
      expect([declared.status, chunked.status]).toEqual([413, 413]);
    });

    it('passes over an override that says POST', async () => {
      const answer = await wire.post('/entities?action=search', '{"input":"x"}', [
        'X-HTTP-Method-Override: POST',
      ]);
      expect(answer.status).toBe(200);
    });
  });

  describe('packed bodies', () => {
    const body = Buffer.from('{"input":"größer","count":"7"}');
    const search = '/entities?action=search';

    it.each([
      ['gzip', gzipSync(body)],
      ['x-gzip', gzipSync(body)],
      ['GZIP', gzipSync(body)],
      ['deflate', deflateSync(body)],
      ['br', brotliCompressSync(body)],
      ['identity', body],
    ])('are read: %s', async (packing, bytes) => {
      const answer = await postBytes(search, bytes, [`Content-Encoding: ${packing}`]);
      expect(answer.json).toMatchObject({ value: { input: 'größer', count: 7 } });
    });

    it.each([
      ['gzip', Buffer.from('{"input":"x"}')],
      ['br', Buffer.from([255, 255, 255, 255, 255])],
      ['gzip', gzipSync(body).subarray(0, 20)],
    ])('that are not what they say are a 400: %s', async (packing, bytes) => {
      const answer = await postBytes(search, bytes, [`Content-Encoding: ${packing}`]);
      expect(answer.json).toMatchObject({ status: 400, message: expect.stringContaining('not packed as') });
    });

    it('of a kind that nobody reads are a 415', async () => {
      const answer = await postBytes(search, body, ['Content-Encoding: zstd']);
      expect(answer.json).toMatchObject({
        status: 415,
        message: 'Content-Encoding zstd is not supported; supported: gzip, x-gzip, deflate, br',
      });
    });

    it('that unpack to more than a body may be are a 413', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
      expect(bomb.length).toBeLessThan(MAX_BODY_BYTES);
      expect((await postBytes(search, bomb, ['Content-Encoding: gzip'])).status).toBe(413);
    });
  });

  describe('large answers', () => {
    const large = JSON.stringify({ text: 'ü'.repeat(20_000) });
    const bytesOf = async (headers: Record<string, string>, body = large) => {
      const answer = await fetch(`http://127.0.0.1:${wire.port}/entities?action=echo`, {
        method: 'POST',
        body,
        headers,
      });
      return { headers: answer.headers, text: await answer.text() };
    };

    it('are packed for who takes it, and for nobody else', async () => {
      const plain = await bytesOf({ 'Accept-Encoding': 'identity' });
      const packed = await bytesOf({ 'Accept-Encoding': 'gzip, deflate' });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(packed.headers.get('content-encoding')).toBe('gzip');
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(2_000);
      expect(packed.text).toBe(plain.text);
      for (const { headers } of [plain, packed]) expect(headers.get('vary')).toContain('accept-encoding');
      const refused = await bytesOf({ 'Accept-Encoding': 'gzip;q=0' });
      expect(refused.headers.get('content-encoding')).toBeNull();
    });

    it('are not packed when they are small', async () => {
      const small = await bytesOf({ 'Accept-Encoding': 'gzip' }, '{}');
      expect(small.headers.get('content-encoding')).toBeNull();
    });
  });

  describe('pages of other sites', () => {
    const search = '/entities?action=search';

    it('may call when their origin is named', async () => {
      const answer = await wire.post(search, '{"input":"x"}', [
        `Origin: ${ORIGIN}`,
        'Sec-Fetch-Site: cross-site',
      ]);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        vary: 'origin',
        'access-control-expose-headers': expect.stringContaining('X-Stratalog-Position'),
      });
    });

    it('may ask first, without a token', async () => {
      const ask = (origin: string, target = '/operations?action=restoreIndices') =>
        wire.send(
          [
            `OPTIONS ${target} HTTP/1.1`,
            'Host: x',
            `Origin: ${origin}`,
            'Access-Control-Request-Method: POST',
            'Access-Control-Request-Headers: authorization,content-type',
            '',
            '',
          ].join('\r\n'),
        );
      const allowed = await ask(ORIGIN);
      expect(allowed.status).toBe(204);
      expect(allowed.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
        'access-control-allow-headers': 'authorization,content-type',
      });
      const other = await ask('https://other.example');
      expect(other.headers).not.toHaveProperty('access-control-allow-origin');
      expect(other.headers).not.toHaveProperty('access-control-allow-methods');
    });

    it('are refused when it is not, and readers get no header', async () => {
      const other = 'Origin: https://other.example';
      expect((await wire.post(search, '{"input":"x"}', [other])).status).toBe(403);
      const read = await wire.get('/entitiesV2/urn:li:tag:a', [other]);
      expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    });

    it('are told of refusals too', async () => {
      const answer = await wire.get('/nowhere', [`Origin: ${ORIGIN}`]);
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([404, ORIGIN]);
    });
  });
});
