import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, UnsecuredJWT } from 'jose';
import { AUDIENCE, OidcIssuer, makeKeys, type IssuerKeys } from '../../testing/oidc-issuer';
import { JWT_ALGORITHMS, JwtVerifier, type JwtOptions } from './jwt-verifier';
import type { VerifiedPrincipal } from '../authenticator';

const NOW_SECONDS = Math.floor(Date.now() / 1_000);

/** Runs a server on a free port during the work. */
async function withServer<T>(answer: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('tokens of an identity provider', () => {
  let keys: IssuerKeys;
  let issuer: OidcIssuer;
  beforeAll(async () => {
    keys = await makeKeys('RS256');
    issuer = await OidcIssuer.start(keys);
  });
  afterAll(() => issuer.stop());

  const open = (options: Partial<JwtOptions> = {}): JwtVerifier =>
    new JwtVerifier({
      issuer: issuer.url,
      audience: AUDIENCE,
      algorithms: JWT_ALGORITHMS,
      clockToleranceSeconds: 30,
      actorClaim: 'sub',
      scopeRules: [
        { when: { claim: 'scope', value: 'stratalog.read' }, scopes: ['read'] },
        { when: { claim: 'scope', value: 'stratalog.write' }, scopes: ['write'] },
        { when: { claim: 'realm_access.roles', value: 'stewards' }, scopes: ['operate'] },
        { when: { claim: 'realm_access.roles', value: 'owners' }, scopes: ['admin'] },
      ],
      urnNamespace: 'li',
      keysPauseMs: 0,
      ...options,
    });
  const verify = async (token: string, verifier = open()): Promise<VerifiedPrincipal | undefined> =>
    verifier.verify(token);
  const readErrorCode = (token: string, verifier = open()): Promise<unknown> =>
    verify(token, verifier).then(
      () => 'accepted',
      (error: unknown) => {
        const { code, message } = error as { readonly code: string; readonly message: string };
        return [code, message];
      },
    );
  /** Signs like the issuer; the changes make the token wrong in one way. */
  const sign = (
    claims: Readonly<Record<string, unknown>> = {},
    { header = {}, by = keys } = {},
  ): Promise<string> =>
    new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'jane', exp: NOW_SECONDS + 600, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: keys.jwk.kid ?? '', ...header })
      .sign(by.privateKey);

  it('name the user and give the scopes of their claims', async () => {
    const verifier = open();
    const token = await issuer.issueToken('stratalog.read stratalog.write');
    expect(await verify(token, verifier)).toEqual({
      kind: 'jwt',
      id: 'jwt:connector',
      name: 'connector',
      actor: 'urn:li:corpuser:connector',
      scopes: new Set(['read', 'write', 'operate']),
      limits: {},
      speaksForOthers: false,
    });
    const reader = await verify(await issuer.issueToken('stratalog.read'), verifier);
    expect(reader?.scopes).toEqual(new Set(['read', 'operate']));
  });

  it('name the user by another claim, whose characters cannot make another urn', async () => {
    const verifier = open({ actorClaim: 'email', scopeRules: [{ scopes: ['read'] }] });
    const token = await issuer.issueToken('stratalog.read');
    expect(await verify(token, verifier)).toMatchObject({ actor: 'urn:li:corpuser:jane@example.com' });
    const odd = await sign({ email: 'a,b:(c)%' });
    expect(await verify(odd, verifier)).toMatchObject({ actor: 'urn:li:corpuser:a%2Cb%3A%28c%29%25' });
    for (const email of [
      '',
      7,
      undefined,
      'x'.repeat(257),
      '日'.repeat(100),
      'a\u0000b',
      'a\ud800',
      'admin',
      '__datahub_tests',
    ]) {
      expect(await readErrorCode(await sign({ email }), verifier)).toEqual([
        'unauthenticated',
        'The token of this call names no user: its claim email',
      ]);
    }
  });

  it('are rejected when they are for another audience, of another issuer, or out of their time', async () => {
    const tokens = [
      [
        await issuer.issueToken('stratalog.read', 'https://other.example'),
        'is not valid here: its claim aud',
      ],
      [await sign({ iss: 'https://other.example' }), 'is not valid here: its claim iss'],
      [await sign({ nbf: NOW_SECONDS + 300 }), 'is not valid here: its claim nbf'],
      [await sign({ exp: undefined }), 'is not valid here: its claim exp'],
      [await sign({ exp: NOW_SECONDS - 300 }), 'is expired'],
    ] as const;
    for (const [token, reason] of tokens) {
      expect(await readErrorCode(token)).toEqual(['unauthenticated', `The token of this call ${reason}`]);
    }
    expect(
      await readErrorCode(await sign({ exp: NOW_SECONDS - 300 }), open({ clockToleranceSeconds: 600 })),
    ).toBe('accepted');
  });

  it('are rejected unless the issuer signed them with a private key', async () => {
    const unsigned = new UnsecuredJWT({
      iss: issuer.url,
      aud: AUDIENCE,
      sub: 'jane',
      exp: NOW_SECONDS + 600,
    });
    const { jwk } = keys;
    const publicKey = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    // The public key is known to everybody; as a shared secret it would sign for everybody.
    const confused = new SignJWT({ iss: issuer.url, aud: AUDIENCE, sub: 'jane', exp: NOW_SECONDS + 600 });
    const genuine = await sign();
    const tokens = [
      unsigned.encode(),
      await confused
        .setProtectedHeader({ alg: 'HS256', kid: jwk.kid ?? '' })
        .sign(Buffer.from(publicKey.toString())),
      await sign({}, { by: await makeKeys('RS256') }),
      await sign({}, { header: { kid: 'unknown' } }),
      `${genuine.slice(0, -8)}AAAAAAAA`,
      genuine.replace(/\.[^.]*\./, `.${Buffer.from('{"sub":"admin"}').toString('base64url')}.`),
    ];
    for (const token of tokens) {
      expect(await readErrorCode(token)).toEqual([
        'unauthenticated',
        'The token of this call is not signed by its issuer',
      ]);
    }
    expect(await readErrorCode(genuine, open({ algorithms: ['ES256'] }))).toMatchObject([
      'unauthenticated',
      {},
    ]);
  });

  it('are left to others when they are no JWT', async () => {
    for (const token of ['open sesame', 'slg_0123', 'ey.a', 'a.b.c', 'eyJ.a.b.c']) {
      expect(await verify(token)).toBeUndefined();
    }
  });

  it('are verified after the issuer has changed its keys', async () => {
    const verifier = open();
    const before = await issuer.issueToken('stratalog.read');
    expect(await readErrorCode(before, verifier)).toBe('accepted');
    issuer.use(await makeKeys('RS256'));
    expect(await readErrorCode(await issuer.issueToken('stratalog.read'), verifier)).toBe('accepted');
    expect(await readErrorCode(before, verifier)).toMatchObject(['unauthenticated', {}]);
    issuer.use(keys);
  });

  it('cannot be checked while the issuer does not answer, which is no fault of the caller', async () => {
    const token = await sign();
    const broken: RequestListener = (_request, response) => response.writeHead(500).end('a-secret');
    let gone = '';
    const answers = await withServer(broken, async (url) => {
      gone = `${url}/jwks`;
      return [
        await readErrorCode(token, open({ keysUrl: gone })),
        await readErrorCode(token, open({ issuer: url })),
      ];
    });
    answers.push(await readErrorCode(token, open({ keysUrl: gone })));
    for (const answer of answers) expect(answer).toMatchObject(['unavailable', {}]);
    expect(JSON.stringify(answers)).not.toContain('a-secret');
  });

  it('let an issuer that does not answer be asked once in a while, however many calls there are', async () => {
    let asked = 0;
    const broken: RequestListener = (_request, response) => {
      asked += 1;
      response.writeHead(500).end();
    };
    const token = await sign();
    await withServer(broken, async (url) => {
      const verifier = open({ issuer: url });
      for (let round = 0; round < 2; round++) {
        const codes = await Promise.all(Array.from({ length: 20 }, () => readErrorCode(token, verifier)));
        for (const code of codes) expect(code).toMatchObject(['unavailable', {}]);
      }
    });
    expect(asked).toBe(1);
  });

  it('need keys that come by TLS or from this machine', async () => {
    const token = await sign();
    const elsewhere: RequestListener = ({ headers: { host = '' } }, response) =>
      response.end(JSON.stringify({ issuer: `http://${host}`, jwks_uri: 'http://login.example/jwks' }));
    const code = await withServer(elsewhere, (url) => readErrorCode(token, open({ issuer: url })));
    expect(code).toEqual(['unavailable', expect.stringContaining('names no address of keys with https://')]);
  });

  it('are of the issuer that its description names only', async () => {
    expect(await readErrorCode(await sign(), open({ issuer: `${issuer.url}/` }))).toEqual([
      'unavailable',
      'The issuer of tokens cannot be asked for its keys: its description is that of another issuer',
    ]);
  });
});
