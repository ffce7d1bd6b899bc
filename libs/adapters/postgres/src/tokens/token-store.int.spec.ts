import { beforeEach, describe, expect, it } from '@jest/globals';
import type { NewToken, TokenHash, TokenStore } from '@stratalog/ports';
import { PostgresTokenStore } from './token-store';
import { useSuiteDatabase } from '../testing/suite-database';

const toHash = (text: string): TokenHash => ({
  salt: Buffer.from(`salt ${text}`),
  digest: Buffer.from(text),
});
const TOKEN: NewToken = {
  id: '0123456789ab',
  name: 'nightly',
  actor: 'urn:li:corpuser:etl',
  scopes: ['read', 'write'],
  limits: { entityTypes: ['dataset'], platforms: ['kafka'] },
  speaksForOthers: false,
  isSession: false,
  hash: toHash('first'),
  createdBy: 'urn:li:corpuser:admin',
};
const LONG_MS = 3_600_000;

describe('PostgresTokenStore', () => {
  const suite = useSuiteDatabase();
  let tokens: TokenStore;
  /** The digests that are no placeholders. */
  const secrets = async (id = TOKEN.id): Promise<readonly string[]> =>
    (await tokens.readHashes(id))
      .filter(({ digest }) => digest.some((byte) => byte !== 0))
      .map(({ digest }) => digest.toString());
  const readState = async (id = TOKEN.id): Promise<string | undefined> => (await tokens.find(id))?.state;

  beforeEach(async () => {
    await suite.database.use((client) => client.query('truncate access_token'));
    tokens = new PostgresTokenStore(suite.database);
  });

  it('keeps a token with the hash of its secret', async () => {
    const added = await tokens.add(TOKEN);
    const { hash, ...grant } = TOKEN;
    expect(added).toEqual({ ...grant, createdMs: expect.any(Number) });
    expect(await tokens.find(TOKEN.id)).toEqual({
      token: added,
      state: 'valid',
      isUseRecorded: false,
    });
    expect(await tokens.readHashes(TOKEN.id)).toContainEqual(hash);
    expect(await tokens.find('000000000000')).toBeUndefined();
  });

  it('reads as many hashes of an unknown token as of a known one', async () => {
    await tokens.add(TOKEN);
    const [known, unknown] = [await tokens.readHashes(TOKEN.id), await tokens.readHashes('000000000000')];
    expect(known).toContainEqual(TOKEN.hash);
    expect(unknown).toHaveLength(known.length);
    expect([await secrets(), await secrets('000000000000')]).toEqual([['first'], []]);
  });

  it('knows an expired token', async () => {
    const valid = await tokens.add({ ...TOKEN, expiresInMs: LONG_MS });
    expect(valid.expiresMs).toBeGreaterThan(valid.createdMs);
    await tokens.add({ ...TOKEN, id: 'ffffffffffff', expiresInMs: -1 });
    expect([await readState(), await readState('ffffffffffff')]).toEqual(['valid', 'expired']);
    const expired = { id: 'ffffffffffff', hash: toHash('second'), overlapMs: 0, expiresInMs: LONG_MS };
    expect(await tokens.rotate(expired)).toBeUndefined();
  });

  it('knows a revoked token, and keeps the first time', async () => {
    await tokens.add(TOKEN);
    await tokens.rotate({ id: TOKEN.id, hash: toHash('second'), overlapMs: LONG_MS });
    const revoked = await tokens.revoke(TOKEN.id);
    expect(revoked?.revokedMs).toBeGreaterThan(0);
    expect(await readState()).toBe('revoked');
    expect(await tokens.revoke(TOKEN.id)).toEqual(revoked);
    expect(await tokens.revoke('000000000000')).toBeUndefined();
    expect(await tokens.rotate({ id: TOKEN.id, hash: toHash('third'), overlapMs: 0 })).toBeUndefined();
  });

  it('replaces the secret of a rotated token, the old one at once or after a while', async () => {
    await tokens.add(TOKEN);
    await tokens.rotate({ id: TOKEN.id, hash: toHash('second'), overlapMs: 0 });
    expect(await secrets()).toEqual(['second']);
    const rotated = await tokens.rotate({ id: TOKEN.id, hash: toHash('third'), overlapMs: LONG_MS });
    expect(await secrets()).toEqual(['third', 'second']);
    expect(rotated).toMatchObject({ id: TOKEN.id, rotatedMs: expect.any(Number) });
    expect(rotated?.expiresMs).toBeUndefined();
    const limited = { id: TOKEN.id, hash: toHash('fourth'), overlapMs: 0, expiresInMs: LONG_MS };
    expect((await tokens.rotate(limited))?.expiresMs).toBeGreaterThan(0);
    expect(await tokens.rotate({ id: 'x', hash: toHash('x'), overlapMs: 0 })).toBeUndefined();
  });

  it('lists pages, the newest first', async () => {
    await tokens.add(TOKEN);
    await tokens.add({ ...TOKEN, id: 'ffffffffffff', name: 'second' });
    const names = async (start: number, count: number): Promise<readonly string[]> =>
      (await tokens.list({ start, count })).map(({ name }) => name);
    expect([await names(0, 10), await names(1, 10), await names(0, 1)]).toEqual([
      ['second', 'nightly'],
      ['nightly'],
      ['second'],
    ]);
  });

  it('lists sessions apart from other tokens, and deletes those that have ended', async () => {
    await tokens.add(TOKEN);
    const session = { ...TOKEN, isSession: true, expiresInMs: LONG_MS };
    await tokens.add({ ...session, id: '000000000001' });
    await tokens.add({ ...session, id: '000000000002' });
    await tokens.add({ ...session, id: '000000000003', expiresInMs: -1 });
    await tokens.add({ ...TOKEN, id: '000000000004', expiresInMs: -1 });
    await tokens.revoke('000000000002');
    const ids = async (isSession: boolean): Promise<readonly string[]> =>
      (await tokens.list({ start: 0, count: 10, isSession })).map(({ id }) => id);
    expect([...(await ids(true))].sort()).toEqual(['000000000001', '000000000002', '000000000003']);
    await tokens.purgeSessions();
    expect(await ids(true)).toEqual(['000000000001']);
    expect([...(await ids(false))].sort()).toEqual(['000000000004', TOKEN.id]);
  });

  it('notes the last use, and not every one', async () => {
    await tokens.add(TOKEN);
    expect((await tokens.find(TOKEN.id))?.token.lastUsedMs).toBeUndefined();
    await tokens.recordUse(TOKEN.id);
    const noted = (await tokens.find(TOKEN.id))?.token.lastUsedMs;
    expect(noted).toBeGreaterThan(0);
    expect((await tokens.find(TOKEN.id))?.isUseRecorded).toBe(true);
    await tokens.recordUse(TOKEN.id);
    expect((await tokens.find(TOKEN.id))?.token.lastUsedMs).toBe(noted);
  });
});
