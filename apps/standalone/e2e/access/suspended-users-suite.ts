import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RELAYED_USER_HEADER, mintToken } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { until } from '@stratalog/testkit';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';

const OPERATOR = { Authorization: 'Bearer the-token-of-the-operator' };
const [ISSUER, AUDIENCE] = ['https://login.example', 'https://catalog.example'];
const URN = 'urn:li:tag:of-a-user';
const userUrn = (name: string): string => `urn:li:corpuser:${name}`;

type Headers = Readonly<Record<string, string>>;

/**
 * Suspensions and deletions of users, and the calls that these users make afterwards; in the distributed profile to a process that only
 * takes calls.
 */
export function suspendedUsersSuite(environment: Headers): void {
  let site: Site;
  let whole: BootedCatalog;
  let front: BootedCatalog;
  let keys: Server;
  let privateKey: CryptoKey;

  beforeAll(async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    ({ privateKey } = pair);
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'key', alg: 'RS256', use: 'sig' };
    keys = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] }))).listen(
      0,
      '127.0.0.1',
    );
    await once(keys, 'listening');
    site = await Site.create();
    const settings = {
      ...environment,
      STRATALOG_AUTH: 'all',
      STRATALOG_TOKEN: 'the-token-of-the-operator',
      STRATALOG_TRUSTED_PROXIES: '127.0.0.1',
      STRATALOG_PROXY_USER_HEADER: 'X-Remote-User',
      STRATALOG_PROXY_USER_SCOPES: 'read,write,operate',
      STRATALOG_JWT_ISSUER: ISSUER,
      STRATALOG_JWT_AUDIENCE: AUDIENCE,
      STRATALOG_JWT_ACTOR_CLAIM: 'sub',
      STRATALOG_JWT_KEYS_URL: `http://127.0.0.1:${String((keys.address() as AddressInfo).port)}/`,
      STRATALOG_JWT_SCOPES: '* -> read,write,operate',
    };
    whole = await site.boot({ environment: settings });
    const isDistributed = environment.STRATALOG_PROFILE === 'distributed';
    front = isDistributed
      ? await site.boot({ environment: settings, stages: [ingestStage, queryStage], untilReady: false })
      : whole;
  }, limitMs(120_000));
  afterAll(async () => {
    await site.remove();
    keys.close();
    await once(keys, 'close');
  });

  const toBearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });
  const addToken = async (
    user: string,
    expiry: { readonly expiresInMs?: number } = {},
  ): Promise<{ readonly id: string; readonly headers: Headers }> => {
    const { id, token, hash } = mintToken();
    const scopes = ['read', 'write', 'operate'] as const;
    const grant = { name: user, actor: userUrn(user), scopes, limits: {}, ...expiry };
    await whole.deps.tokens.add({
      ...grant,
      speaksForOthers: false,
      isSession: false,
      id,
      hash,
      createdBy: userUrn('admin'),
    });
    return { id, headers: toBearer(token) };
  };
  const withToken = async (user: string): Promise<Headers> => (await addToken(user)).headers;
  const withJwt = async (user: string): Promise<Headers> => {
    const jwt = new SignJWT({ sub: user, iss: ISSUER, aud: AUDIENCE }).setExpirationTime('10m');
    return toBearer(await jwt.setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(privateKey));
  };
  // An app gets the name from the catalog's own proxy.
  const proxyHeader = environment.STRATALOG_PROFILE === 'distributed' ? RELAYED_USER_HEADER : 'X-Remote-User';
  const withProxy = (user: string): Promise<Headers> => Promise.resolve({ [proxyHeader]: user });
  const onBehalf = (user: string): Promise<Headers> =>
    Promise.resolve({ ...OPERATOR, 'X-DataHub-Actor': userUrn(user) });

  const write = (headers: Headers) =>
    front.http.ingest({
      urn: URN,
      aspectName: 'tagProperties',
      value: { name: randomBytes(4).toString('hex') },
      headers,
    });
  const read = (headers: Headers) => front.http.get(`/entitiesV2/${URN}`, headers);
  const statuses = async (headers: Headers): Promise<readonly number[]> =>
    (await Promise.all([write(headers), read(headers)])).map(({ status }) => status);
  const set = async (user: string, aspectName: string, value: JsonOutputObject): Promise<void> => {
    const answer = await whole.http.ingest({ urn: userUrn(user), aspectName, value, headers: OPERATOR });
    if (answer.status !== 200) throw new Error(answer.body);
  };
  const setStatus = (user: string, status: string): Promise<void> =>
    set(user, 'corpUserStatus', { status, lastModified: { time: 1, actor: userUrn('admin') } });
  const remove = async (user: string): Promise<void> => {
    await setStatus(user, 'ACTIVE');
    const urn = userUrn(user);
    const answer = await whole.http.post('/entities?action=delete', JSON.stringify({ urn }), OPERATOR);
    expect(at(answer.json, 'value', 'rows')).toBeGreaterThan(0);
  };

  describe('a user', () => {
    const ways = [
      ['a token', withToken],
      ['a token of an identity provider', withJwt],
      ['the header of a trusted proxy', withProxy],
      ['the header of a caller that speaks for others', onBehalf],
    ] as const;
    const ends = [
      ['suspended', (user: string) => setStatus(user, 'SUSPENDED'), 'is suspended'],
      ['soft-deleted', (user: string) => set(user, 'status', { removed: true }), 'is deleted'],
      ['hard-deleted', remove, 'is deleted'],
    ] as const;

    // All at once: most of the time passes until a process has noticed.
    it('is rejected within seconds once suspended or deleted, whatever the way of the calls', async () => {
      const reject = async (
        way: string,
        headersOf: (user: string) => Promise<Headers>,
        [end, run, reason]: (typeof ends)[number],
      ): Promise<void> => {
        const user = `u${randomBytes(4).toString('hex')}`;
        const headers = await headersOf(user);
        expect([way, end, await statuses(headers)]).toEqual([way, end, [200, 200]]);
        await run(user);
        const endedMs = performance.now();
        await until(async () => (await statuses(headers)).every((status) => status === 403));
        expect(performance.now() - endedMs).toBeLessThan(limitMs(10_000));
        const { json } = await write(headers);
        expect([way, at(json, 'message')]).toEqual([way, `User ${userUrn(user)} ${reason}`]);
      };
      await Promise.all(ways.flatMap(([way, headersOf]) => ends.map((each) => reject(way, headersOf, each))));
      expect((await read(OPERATOR)).status).toBe(200);
    });

    it('may call again within seconds after the suspension ends', async () => {
      const headers = await withToken('returning');
      await setStatus('returning', 'SUSPENDED');
      expect(await statuses(headers)).toEqual([403, 403]);
      await setStatus('returning', 'ACTIVE');
      await until(async () => (await statuses(headers)).every((status) => status === 200));
    });

    it('follows a task no longer than it may', async () => {
      const { tasks, tokens } = whole.deps;
      const { task } = await tasks.create({ kind: 'idle', parameters: {}, actor: userUrn('admin') });
      const target = `${whole.url}/operations/tasks/${String(task.id)}/events`;
      /** Follows the task; `isOpen` until the stream ends. */
      const follow = async (headers: Headers): Promise<{ readonly isOpen: () => boolean }> => {
        const { status, body } = await fetch(target, { headers });
        const reader = body?.getReader();
        const first = Buffer.from((await reader?.read())?.value ?? '').toString();
        expect([status, first]).toEqual([200, expect.stringContaining('event: progress')]);
        let isOpen = true;
        const readOn = async (): Promise<void> => {
          while ((await reader?.read())?.done === false);
        };
        readOn()
          .catch(() => undefined)
          .finally(() => (isOpen = false));
        return { isOpen: () => isOpen };
      };
      const [revoked, lasting] = [await addToken('revoked'), await addToken('lasting')];
      const expiring = await addToken('expiring', { expiresInMs: limitMs(3_000) });
      const ending = await Promise.all(
        [
          revoked.headers,
          expiring.headers,
          await withJwt('suspended'),
          await withProxy('gone'),
          await onBehalf('spoken-for'),
        ].map(follow),
      );
      const last = await follow(lasting.headers);
      await tokens.revoke(revoked.id);
      await setStatus('suspended', 'SUSPENDED');
      await set('gone', 'status', { removed: true });
      await remove('spoken-for');
      await until(() => ending.every(({ isOpen }) => !isOpen()));
      expect(last.isOpen()).toBe(true);
      await tokens.revoke(lasting.id);
      await until(() => !last.isOpen());
    });

    it('a user who operates the catalog cannot be locked out', async () => {
      await setStatus('admin', 'SUSPENDED');
      expect(await statuses(OPERATOR)).toEqual([200, 200]);
    });
  });
}
