import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mintToken } from '../access/access-token';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

describe('the wire dialect', () => {
  let wire: BootedWire;
  beforeAll(async () => {
    wire = await bootWire(SampleModule, { maxBodyBytes: 100_000 });
  });
  afterAll(async () => {
    await wire.application.close();
  });

  const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hdfs,a/b,PROD)';

  describe('targets', () => {
    it.each([
      ['fully encoded', encodeURIComponent(DATASET), DATASET],
      ['half encoded', 'urn%3Ali%3Adataset%3A(urn%3Ali%3AdataPlatform%3Ahdfs,a%2Fb,PROD)', DATASET],
      ['raw', DATASET, DATASET],
      ['with blanks around it', `%20${DATASET}%20%20`, DATASET],
      ['holding an escape as text', 'urn:li:tag:a%252Cb', 'urn:li:tag:a%2Cb'],
      ['holding an encoded percent sign', 'urn:li:tag:100%25', 'urn:li:tag:100%'],
      ['holding a lone percent sign', 'urn:li:tag:100%', 'urn:li:tag:100%'],
      ['holding an encoded plus', 'urn:li:tag:%E6%97%A5%E6%9C%AC%2Bx', 'urn:li:tag:日本+x'],
      ['holding bare Unicode and a plus', 'urn:li:tag:日本+x', 'urn:li:tag:日本+x'],
      ['holding bare blanks', 'urn:li:tag:a b  c', 'urn:li:tag:a b  c'],
      ['ending with a slash', 'urn:li:tag:a/', 'urn:li:tag:a/'],
      ['ending with an encoded slash', 'urn:li:tag:a%2F', 'urn:li:tag:a/'],
      ['with doubled slashes and dots', 'urn:li:tag:s3://a/../b', 'urn:li:tag:s3://a/../b'],
      ['holding a question mark and a hash', 'urn:li:tag:a%3Fb%23c', 'urn:li:tag:a?b#c'],
      ['holding a bare hash', 'urn:li:tag:a#c', 'urn:li:tag:a#c'],
      ['2,048 bytes long when encoded', `urn:li:tag:${'%2C'.repeat(680)}`, `urn:li:tag:${','.repeat(680)}`],
    ])('decode a urn %s exactly once', async (_spelling, sent, urn) => {
      const answer = await wire.get(`/entitiesV2/${sent}?aspects=List(status,ownership)`);
      expect([answer.status, answer.json]).toEqual([200, { urn, aspects: ['status', 'ownership'] }]);
    });

    it('hands an encoded comma of a list element on', async () => {
      const answer = await wire.get('/relationships?urn=urn%3Ali%3Atag%3Aa%252Cb&types=List(A%2CB,C)');
      expect(answer.json).toEqual({ urn: 'urn:li:tag:a%2Cb', types: ['A,B', 'C'] });
    });

    it.each(['urn:li:tag:%FF', 'urn:li:tag:%C3%28', '%E0%A4%A'])(
      'targets with escapes that are not UTF-8 are rejected: %s',
      async (urn) => {
        const answer = await wire.get(`/entitiesV2/${urn}`);
        expect(answer.status).toBe(400);
        expect(answer.json).toMatchObject({ status: 400, message: expect.stringContaining('UTF-8') });
      },
    );
  });

  describe('bodies', () => {
    it.each([
      ['no content type', []],
      ['a form', ['Content-Type: application/x-www-form-urlencoded']],
      ['text', ['Content-Type: text/plain; charset=utf-8']],
      ['a malformed content type', ['Content-Type: ;;']],
    ])('are JSON with %s', async (_name, headers) => {
      const answer = await wire.post('/entities?action=echo', '{"n":12345678901234567890}', headers);
      expect(answer.body).toBe(
        '{"value":{"body":{"n":12345678901234567890},"raw":{"big":12345678901234567890}}}',
      );
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json',
        'x-restli-protocol-version': '2.0.0',
        'x-stratalog-position': '0123abcd.1.3:7',
      });
    });

    it('may be absent, empty or begin with a byte order mark', async () => {
      for (const body of ['', ' \n', '\ufeff{}']) {
        expect(
          (await wire.post('/entities?action=ingest', body, ['Content-Type: application/json'])).status,
        ).toBe(200);
      }
      const answer = await wire.send('POST /entities?action=ingest HTTP/1.1\r\nHost: x\r\n\r\n');
      expect([answer.status, answer.body, answer.headers['content-type']]).toEqual([200, '', undefined]);
    });

    it.each([
      ['no JSON', 'a=b', 'Error parsing entity body: '],
      ['a list', '[]', 'Error parsing entity body: not a JSON object'],
      ['a text', '"x"', 'Error parsing entity body: not a JSON object'],
      ['null', 'null', 'Error parsing entity body: not a JSON object'],
      ['nested without end', `{"a":${'['.repeat(5_000)}`, 'nested deeper than'],
      [
        'nested without end around a long integer',
        `{"a":${'['.repeat(4_000)}1234567890123456789`,
        'nested deeper than',
      ],
      ['poisoned', '{"__proto__":{"admin":true}}', "'__proto__' is not allowed"],
    ])('are rejected when they are %s', async (_name, body, message) => {
      const answer = await wire.post('/entities?action=echo', body);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ message: expect.stringContaining(message) });
    });

    it('are rejected when they are not UTF-8', async () => {
      const head = 'POST /entities?action=echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';
      const answer = await wire.send(
        Buffer.concat([Buffer.from(head), Buffer.from('7b2261223a22ff227d', 'hex')]),
      );
      expect(answer.json).toMatchObject({ status: 400, message: 'Error parsing entity body: not UTF-8' });
    });

    it('over the limit get 413, whether their length is declared or not', async () => {
      const large = JSON.stringify({ text: 'x'.repeat(3_000_000) });
      const declared = await wire.post('/entities?action=echo', large);
      const chunked = await wire.send(
        'POST /entities?action=echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n' +
          `${(150_000).toString(16)}\r\n${'x'.repeat(150_000)}\r\n0\r\n\r\n`,
      );
      for (const answer of [declared, chunked]) {
        expect(answer.status).toBe(413);
        expect(answer.json).toMatchObject({
          status: 413,
          exceptionClass: expect.stringContaining('RestLiService'),
        });
      }
    });

    it('bodies of reads are ignored', async () => {
      const headers = [
        'Content-Type: application/json',
        'Upgrade: h2c',
        'Connection: Upgrade',
        'Content-Length: 0',
      ];
      expect((await wire.get('/entitiesV2/urn:li:tag:a', headers)).status).toBe(200);
    });
  });

  describe('errors', () => {
    it('have the shape of the contract', async () => {
      const answer = await wire.post('/entities?action=reject', '{}', ['X-RestLi-Protocol-Version: 1.0.0']);
      const exceptionClass = 'com.linkedin.restli.server.RestLiServiceException';
      const message = 'ownership: /owners/0/owner: not a urn';
      expect(answer.json).toEqual({
        exceptionClass,
        message,
        stackTrace: `${exceptionClass} [HTTP Status:422]: ${message}`,
        status: 422,
        docUrl: '/restli/docs#to-know',
      });
      expect(answer.headers).toMatchObject({
        'x-restli-error-response': 'true',
        'x-restli-protocol-version': '1.0.0',
      });
      expect(answer.headers).not.toHaveProperty('x-powered-by');
    });

    it('name parameters that are missing or wrong', async () => {
      const missing = await wire.post('/entities?action=search', '{"input":null}');
      expect(missing.json).toMatchObject({ status: 400, message: "Parameter 'input' is required" });
      const wrong = await wire.post('/entities?action=search', '{"input":"x","count":"many"}');
      expect(wrong.json).toMatchObject({
        status: 400,
        message:
          "Parameters of method 'search' failed validation with error '/count :: \"many\" is not an integer from 0 to 1000'",
      });
      const query = await wire.get('/aspects/urn:li:tag:a?aspect=status&version=x');
      expect(query.json).toMatchObject({
        status: 400,
        message: "Argument parameter 'version' value 'x' is invalid: it must be an integer from 0 on",
      });
    });

    it.each(['fail', 'failOddly'])('errors of ours show a reference and nothing else: %s', async (action) => {
      wire.faults.length = 0;
      const { id, token } = mintToken();
      const answer = await wire.post(`/entities?action=${action}&access_token=${token}`, '{}');
      expect(answer.status).toBe(500);
      expect(wire.faults).toHaveLength(1);
      const { reference = '', target } = wire.faults[0] ?? {};
      expect(target).toBe(`/entities?action=${action}&access_token=slg_${id}_***`);
      expect(answer.json).toMatchObject({ message: `Internal server error (reference ${reference})` });
      expect(answer.body).not.toMatch(/secret|internal\.ts|a text/);
    });

    it('errors of an index that is behind ask to come again', async () => {
      const behind = await wire.post('/entities?action=search', '{"input":"x"}', [
        'X-Stratalog-Wait-For: 0123abcd.2.1:1',
      ]);
      expect([behind.status, behind.headers['retry-after']]).toEqual([503, '1']);
      const bad = await wire.post('/entities?action=search', '{"input":"x"}', [
        'X-Stratalog-Wait-For: yesterday',
      ]);
      expect(bad.status).toBe(400);
    });

    it.each([
      ['no HTTP at all', 'hello\r\n\r\n', 400],
      ['a broken header', 'GET /health HTTP/1.1\r\nHost x\r\n\r\n', 400],
      ['too many headers', `GET /health HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['a broken length', 'POST /entities?action=echo HTTP/1.1\r\nContent-Length: x\r\n\r\n{}', 400],
      [
        'a broken chunk',
        'POST /entities?action=echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
        400,
      ],
      ['a bare body target', 'POST /entities?action=日 HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}', 400],
    ])('answer %s as JSON', async (_name, request, status) => {
      const answer = await wire.send(request);
      expect(answer.status).toBe(status);
      expect(answer.json).toMatchObject({ status });
    });
  });
});
