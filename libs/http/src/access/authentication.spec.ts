import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { UnauthenticatedError } from '@stratalog/domain';
import { operatorUrn, type AuthMode, type VerifiedPrincipal, type VerifyCredential } from './authenticator';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

const READER: VerifiedPrincipal = {
  kind: 'token',
  id: 'r1',
  name: 'reader',
  actor: 'urn:li:corpuser:reader',
  scopes: new Set(['read']),
  limits: {},
  speaksForOthers: false,
};
const verifyExpired: VerifyCredential = (credential) =>
  credential === 'expired'
    ? Promise.reject(new UnauthenticatedError('The token of this call is expired'))
    : Promise.resolve(undefined);
const verifyReader: VerifyCredential = (credential) => {
  if (credential === 'limited') return { ...READER, limits: { entityTypes: ['tag'] } };
  return credential === 'reader' ? READER : undefined;
};

/** Mounts a route by Nest's own decorator, which knows nothing of effects. */
@Controller()
class BareController {
  @Get('bare')
  read(): string {
    return 'read';
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

describe('tokens', () => {
  let wire: BootedWire | undefined;
  afterEach(async () => {
    await wire?.application.close();
    wire = undefined;
  });

  const bootWith = async (mode: AuthMode): Promise<BootedWire> => {
    wire = await bootWire(SampleModule, {
      auth: {
        mode,
        tokens: [{ token: 'open sesame', actor: 'urn:li:corpuser:admin' }],
        verifiers: [verifyExpired, verifyReader],
      },
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
  ])('tokens in mode %s guard what they should', async (mode, open, ordinary, administrative) => {
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
    const actorWith = async (headers: readonly string[]): Promise<unknown> =>
      (await open.post('/entities?action=search', '{"input":"x"}', headers)).json;
    expect(await actorWith(GOOD)).toMatchObject({ value: { actor: 'urn:li:corpuser:admin' } });
    expect(await actorWith(WRONG)).toMatchObject({ value: { actor: 'urn:li:corpuser:unknown' } });
  });

  it.each([
    ['the operator', GOOD, 'urn:li:corpuser:ada'],
    ['a token that may not', ['Authorization: Bearer reader'], 'urn:li:corpuser:reader'],
    ['nobody', [], 'urn:li:corpuser:unknown'],
  ])('let only some callers name another actor: %s', async (_name, headers, actor) => {
    const { post } = await bootWith('operations');
    const search = (header: string) =>
      post('/entities?action=search', '{"input":"x"}', [...headers, `X-DataHub-Actor: ${header}`]);
    expect((await search('urn:li:corpuser:ada')).json).toMatchObject({ value: { actor } });
    expect((await search('ada')).status).toBe(headers === GOOD ? 400 : 200);
  });

  it('are compared with the scope of the route', async () => {
    const { get, post } = await bootWith('all');
    const reader = ['Authorization: Bearer reader'];
    expect((await get('/entitiesV2/urn:li:tag:a', reader)).status).toBe(200);
    expect((await get('/nowhere', reader)).status).toBe(404);
    const rejected = await post('/operations?action=restoreIndices', '{}', reader);
    expect([rejected.status, rejected.json]).toMatchObject([
      403,
      { message: 'This call is not permitted: needs the scope operate; token "reader" (r1) has read' },
    ]);
  });

  it.each([
    [false, 200],
    [true, 401],
  ])('are needed for deletions in mode operations, when it guards them: %s', async (guards, status) => {
    const tokens = [{ token: 'open sesame', actor: 'urn:li:corpuser:admin' }];
    wire = await bootWire(SampleModule, {
      auth: { mode: 'operations', guardsDestruction: guards, tokens, verifiers: [verifyReader] },
    });
    const { send } = wire;
    const remove = async (headers: readonly string[]): Promise<number> => {
      const head = ['DELETE /relationships?urn=urn:li:tag:a HTTP/1.1', 'Host: x', ...headers, '', ''];
      return (await send(head.join('\r\n'))).status;
    };
    expect(await remove([])).toBe(status);
    expect(await remove(WRONG)).toBe(status);
    expect(await remove(['Authorization: Bearer reader'])).toBe(guards ? 403 : 200);
    expect(await remove(GOOD)).toBe(200);
  });

  it('tokens that are limited to entities make no call that does not tell what it touches', async () => {
    const { get } = await bootWith('all');
    const limited = ['Authorization: Bearer limited'];
    expect((await get('/entitiesV2/urn:li:tag:a', limited)).status).toBe(200);
    expect((await get('/entitiesV2/urn:li:chart:(a,b)', limited)).json).toMatchObject({
      status: 403,
      message: expect.stringContaining('urn:li:chart:(a,b) is not of the entity types tag'),
    });
    expect((await get('/relationships?urn=urn:li:tag:a', limited)).json).toMatchObject({
      status: 403,
      message: expect.stringContaining('the call is not limited to entities of the entity types tag'),
    });
  });

  it('need the scope admin for a route that tells no effect', async () => {
    const auth = { mode: 'operations', tokens: [], verifiers: [verifyReader] } as const;
    wire = await bootWire(BareModule, { auth });
    expect((await wire.get('/bare')).status).toBe(401);
    expect((await wire.get('/bare', ['Authorization: Bearer reader'])).json).toMatchObject({
      status: 403,
      message: expect.stringContaining('needs the scope admin'),
    });
  });

  it('tokens that are rejected with a delay are rejected alike', async () => {
    const { get } = await bootWith('all');
    const answer = await get('/entitiesV2/urn:li:tag:a', ['Authorization: Bearer expired']);
    expect([answer.status, answer.json]).toMatchObject([
      401,
      { message: 'The token of this call is expired' },
    ]);
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
