import { afterEach, describe, expect, it } from '@jest/globals';
import { operatorUrn, type AuthMode } from './authenticator';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

describe('tokens', () => {
  let wire: BootedWire | undefined;
  afterEach(async () => {
    await wire?.application.close();
    wire = undefined;
  });

  const bootWith = async (mode: AuthMode): Promise<BootedWire> => {
    wire = await bootWire(SampleModule, {
      auth: { mode, tokens: [{ token: 'open sesame', actor: 'urn:li:corpuser:admin' }] },
    });
    return wire;
  };
  const GOOD = ['Authorization: Bearer open sesame'];
  const WRONG = ['Authorization: Bearer None'];

  it.each([
    // Each row: the mode, then the statuses of a public, an ordinary and an administrative call without a
    // token, with a wrong one and with the right one.
    ['all' as const, [200, 200, 200], [401, 401, 200], [401, 401, 200]],
    ['operations' as const, [200, 200, 200], [200, 200, 200], [401, 401, 200]],
    ['none' as const, [200, 200, 200], [200, 200, 200], [200, 200, 200]],
  ])('in mode %s guard what they should', async (mode, open, ordinary, administrative) => {
    const { get, post } = await bootWith(mode);
    const statuses = async (call: (headers: readonly string[]) => Promise<{ readonly status: number }>) => {
      const answers = await Promise.all([[], WRONG, GOOD].map((headers) => call(headers)));
      return answers.map(({ status }) => status);
    };
    expect(await statuses((headers) => get('/health', headers))).toEqual(open);
    expect(await statuses((headers) => post('/entities?action=search', '{"input":"x"}', headers))).toEqual(
      ordinary,
    );
    expect(await statuses((headers) => post('/operations?action=restoreIndices', '{}', headers))).toEqual(
      administrative,
    );
  });

  it('report a missing or an unknown token in the common error shape', async () => {
    const { post } = await bootWith('all');
    const missing = await post('/entities?action=search', '{}');
    expect(missing.headers).toMatchObject({
      'www-authenticate': 'Bearer',
      'x-restli-error-response': 'true',
    });
    expect(missing.json).toMatchObject({ status: 401, message: expect.stringContaining('no header') });
    const unknown = await post('/entities?action=search', '{}', WRONG);
    expect(unknown.json).toMatchObject({ status: 401, message: 'The token of this call is unknown' });
    expect((await post('/nowhere', '{}')).status).toBe(401);
  });

  it('identify the caller', async () => {
    const { post } = await bootWith('all');
    expect((await post('/operations?action=restoreIndices', '{}', GOOD)).json).toEqual({
      value: 'urn:li:corpuser:admin',
    });
    await wire?.application.close();
    const open = await bootWith('operations');
    const answer = await open.post('/entities?action=search', '{"input":"x"}', GOOD);
    expect(answer.json).toMatchObject({ value: { actor: 'urn:li:corpuser:unknown' } });
  });

  it('identify the caller with a urn in the namespace of the catalog', async () => {
    wire = await bootWire(SampleModule, { auth: { mode: 'none', urnNamespace: 'acme', tokens: [] } });
    const answer = await wire.post('/entities?action=search', '{"input":"x"}');
    expect(answer.json).toMatchObject({ value: { actor: 'urn:acme:corpuser:unknown' } });
    expect(operatorUrn('acme')).toBe('urn:acme:corpuser:admin');
  });

  it.each([
    ['no token', '/operations?action=restoreIndices', 401],
    ['no route', '/nowhere', 404],
    ['too much to say', '/entities?action=echo', 413],
  ])(
    'are checked before the body is read: a caller with %s is answered at once',
    async (_name, target, status) => {
      const { send } = await bootWith('operations');
      const answer = await send(`POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000\r\n\r\n{`);
      expect(answer.status).toBe(status);
    },
  );

  it('let a rejected caller finish sending its body on the same connection', async () => {
    const { send } = await bootWith('operations');
    const body = JSON.stringify({ text: 'x'.repeat(2_000_000) });
    const head = `POST /operations?action=restoreIndices HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect((await send(head + body)).status).toBe(401);
  });
});
