import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SECURITY_HEADERS } from './security-headers';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

const request = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

describe('every answer', () => {
  let wire: BootedWire;
  beforeAll(async () => {
    wire = await bootWire(SampleModule, { maxBodyBytes: 100_000 });
  });
  afterAll(() => wire.application.close());

  it.each([
    ['a read', request('GET /entitiesV2/urn:li:tag:a'), 200],
    ['a read without its body', request('HEAD /entitiesV2/urn:li:tag:a'), 200],
    ['an empty answer', request('POST /entities?action=ingest'), 200],
    ['what may be called', request('OPTIONS /relationships'), 204],
    ['a bare target', request('GET /entitiesV2/urn:li:tag:日'), 200],
    ['an unknown path', request('GET /nothing'), 404],
    ['a path that is not UTF-8', request('GET /entitiesV2/%FF'), 400],
    ['a rejected value', request('POST /entities?action=reject'), 422],
    ['a fault', request('POST /entities?action=fail'), 500],
    ['a body that is too large', request('POST /entities?action=echo', 'Content-Length: 1000000'), 413],
    ['an expectation', request('GET /health', 'Expect: 200-ok'), 417],
    ['CONNECT', request('CONNECT x:1'), 405],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['too many headers', request('GET /health', `X: ${'x'.repeat(20_000)}`), 431],
  ])('tells browsers what they may do with it: %s', async (_name, bytes, status) => {
    const answer = await wire.send(bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(SECURITY_HEADERS);
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  it.each([
    ['/relationships?urn=x&types=a%00b', "Argument parameter 'types' value 'a%00b' is invalid"],
    ['/entitiesV2/urn:li:tag:a%00', "The path '/entitiesV2/urn%3Ali%3Atag%3Aa%00' holds a NUL character"],
    ['/entitiesV2/urn:li:tag:a?%00', "Argument parameter '%00' value '' is invalid"],
    ['/nothing/%00', 'holds a NUL character'],
  ])('rejects a NUL character, wherever it stands: %s', async (target, message) => {
    for (const answer of [await wire.get(target), await wire.send(request(`DELETE ${target}`))]) {
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ status: 400, message: expect.stringContaining(message) });
    }
  });

  it('accepts text that only resembles an encoded NUL', async () => {
    expect((await wire.get('/entitiesV2/urn:li:tag:a%2500')).json).toMatchObject({ urn: 'urn:li:tag:a%00' });
  });

  it('rejects a NUL character in a tunnel', async () => {
    const answer = await wire.post('/relationships', 'urn=x&types=%00', [
      'X-HTTP-Method-Override: GET',
      'Content-Type: application/x-www-form-urlencoded',
    ]);
    expect(answer.json).toMatchObject({ status: 400, message: expect.stringContaining("'types'") });
  });
});
