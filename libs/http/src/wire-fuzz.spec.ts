import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bootWire, type BootedWire } from './testing/boot-wire';
import { SampleModule } from './testing/sample.module';

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

  const isGraceful = async (...request: (string | Buffer)[]) => {
    const answer = await wire.send(
      Buffer.concat(request.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
    );
    expect(answer.status).toBeGreaterThanOrEqual(200);
    expect(answer.status).toBeLessThan(500);
    if (answer.status >= 400) expect(answer.json).toMatchObject({ status: answer.status });
    expect(wire.faults).toEqual([]);
  };

  it('as a target, it gets an answer and never a 5xx', async () => {
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
        (method, start, rest) =>
          isGraceful(`${method} ${start}`, rest, ' HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'),
      ),
      { numRuns: 300 },
    );
  });

  it('as a body, it gets an answer and never a 5xx', async () => {
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

  it('as a header value, it gets an answer and never a 5xx', async () => {
    const name = fc.constantFrom(
      'Content-Type',
      'Authorization',
      'X-Stratalog-Wait-For',
      'X-RestLi-Protocol-Version',
      'Accept-Version',
    );
    await fc.assert(
      fc.asyncProperty(name, withoutLineEnds, (header, value) =>
        isGraceful(
          'POST /entities?action=search HTTP/1.1\r\nHost: x\r\n',
          `${header}: `,
          value,
          '\r\nContent-Length: 13\r\n\r\n{"input":"x"}',
        ),
      ),
      { numRuns: 200 },
    );
  });
});
