import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

/**
 * Names of headers, each with values that some code may react to. Every generated request uses some of them.
 */
const HOSTILE = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../hostile-headers.json'), 'utf8'),
) as readonly (readonly [name: string, values: readonly string[]])[];

describe('whatever a client sends', () => {
  let wire: BootedWire;
  beforeAll(async () => {
    wire = await bootWire(SampleModule, { maxBodyBytes: 100_000 });
  });
  afterAll(async () => {
    await wire.application.close();
  });

  const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array));
  const spice = fc
    .array(
      fc.constantFrom(
        '%',
        '%25',
        '%2F',
        '%FF',
        '%zz',
        '/',
        '//',
        '?',
        '#',
        '(',
        ',',
        'List(',
        '&',
        '=',
        '日',
        ' ',
        '"',
        '{',
        '[',
        ':',
      ),
    )
    .map((parts) => Buffer.from(parts.join('')));
  const anything = fc.oneof(bytes, spice);
  const withoutLineEnds = anything.map((array) =>
    Buffer.from(array.filter((byte) => byte !== 10 && byte !== 13)),
  );

  const hostile = fc
    .array(
      fc.constantFrom(...HOSTILE).chain(([name, values]) =>
        fc
          .oneof(
            {
              weight: 3,
              arbitrary: fc.constantFrom(...values).map((value) => Buffer.from(value, 'latin1')),
            },
            { weight: 1, arbitrary: withoutLineEnds },
          )
          .map((value) => Buffer.concat([Buffer.from(`${name}: `), value, Buffer.from('\r\n')])),
      ),
      { maxLength: 4 },
    )
    .map((lines) => Buffer.concat(lines));

  const isGraceful = async (...request: (string | Buffer)[]) => {
    const answer = await wire.send(
      Buffer.concat(request.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
    );
    expect(answer.status).toBeGreaterThanOrEqual(200);
    expect(answer.status).toBeLessThan(500);
    const isHead = String(request[0]).startsWith('HEAD ');
    // A browser, by its Accept header, gets a page.
    const isPage = answer.headers['content-type']?.startsWith('text/html') === true;
    if (isPage && !isHead)
      expect([answer.status, answer.body]).toEqual([404, expect.stringContaining('</html>')]);
    else if (answer.status >= 400 && !isHead) expect(answer.json).toMatchObject({ status: answer.status });
    expect(wire.faults).toEqual([]);
  };

  it('whatever a client sends as a target, it gets an answer and never a 5xx', async () => {
    const front = fc.constantFrom(
      '/entitiesV2/',
      '/aspects/urn:li:tag:',
      '/relationships?urn=',
      '/gms/entities?',
      '/',
      '',
      '/health?',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'DELETE', 'OPTIONS'),
        front,
        withoutLineEnds,
        hostile,
        (method, start, rest, headers) =>
          isGraceful(
            `${method} ${start}`,
            rest,
            ' HTTP/1.1\r\nHost: x\r\n',
            headers,
            'Content-Length: 0\r\n\r\n',
          ),
      ),
      { numRuns: 300 },
    );
  });

  it('whatever a client sends as a body, it gets an answer and never a 5xx', async () => {
    const json = fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text));
    const action = fc.constantFrom('echo', 'search', 'ingest');
    await fc.assert(
      fc.asyncProperty(action, fc.oneof(anything, json), (name, body) =>
        isGraceful(
          `POST /entities?action=${name} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`,
          body,
        ),
      ),
      { numRuns: 300 },
    );
  });

  it('whatever a client sends as headers, with any method, body and trailers, it gets an answer and never a 5xx', async () => {
    const method = fc.constantFrom(
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'CONNECT',
    );
    const target = fc.constantFrom(
      '/entities?action=search',
      '/entities?action=echo',
      '/entitiesV2/urn:li:tag:x',
      '/relationships?urn=x',
      '/health',
      '/nothing',
      '*',
      'http://catalog/health',
    );
    const body = fc.oneof(fc.constant(Buffer.from('{"input":"x"}')), anything);
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(method, target, body, fc.boolean()),
        hostile,
        hostile,
        ([verb, path, bytes, isChunked], headers, trailers) => {
          const size = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
          const chunk = bytes.length === 0 ? '' : `${bytes.length.toString(16)}\r\n`;
          const end = bytes.length === 0 ? '0\r\n' : '\r\n0\r\n';
          return isGraceful(
            `${verb} ${path} HTTP/1.1\r\nHost: x\r\n`,
            headers,
            `${size}\r\n\r\n`,
            ...(isChunked ? [chunk, bytes, end, trailers, '\r\n'] : [bytes]),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
