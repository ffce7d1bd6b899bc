import { beforeEach, describe, expect, it } from '@jest/globals';
import { TimeLimitError } from '@stratalog/domain';
import type { StoredToken, TokenHash, TokenLookup, TokenState } from '@stratalog/ports';
import { matchesSecret, mintToken, parseToken, type MintedToken } from './access-token';
import { TokenVerifier } from './token-verifier';

const GRANT: Omit<StoredToken, 'id'> = {
  name: 'nightly',
  actor: 'urn:li:corpuser:etl',
  scopes: ['read'],
  limits: { platforms: ['kafka'] },
  speaksForOthers: false,
  isSession: false,
  createdMs: 1,
  createdBy: 'urn:li:corpuser:admin',
};

describe('A minted token', () => {
  it('has a form that scanners recognize, and a checksum', () => {
    const { id, token, hash } = mintToken();
    expect(token).toMatch(/^slg_[0-9a-f]{12}_[0-9a-f]{72}$/);
    const parts = parseToken(token);
    expect(parts?.id).toBe(id);
    expect(matchesSecret(parts?.secret ?? '', [hash])).toBe(true);
    expect(mintToken(id)).toMatchObject({ id, token: expect.not.stringContaining(parts?.secret ?? '') });
  });

  it('is recognized as mistyped in every character', () => {
    const { token } = mintToken();
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === '0' ? '1' : '0';
      expect(parseToken(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined();
    }
    expect([parseToken(token.slice(0, -1)), parseToken(`${token}0`), parseToken('slg_')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('matches no other hash', () => {
    const one = mintToken();
    const secret = parseToken(one.token)?.secret ?? '';
    expect(matchesSecret(secret, [mintToken().hash])).toBe(false);
    expect(matchesSecret(secret, [mintToken().hash, one.hash])).toBe(true);
    expect(matchesSecret(secret, [])).toBe(false);
  });
});

describe('TokenVerifier', () => {
  let minted: MintedToken;
  let nowMs: number;
  let lookups: string[];
  let noted: string[];
  let state: TokenState;
  let isUseRecorded: boolean;
  let onUse: () => void;
  let verifier: TokenVerifier;

  beforeEach(() => {
    minted = mintToken();
    nowMs = 0;
    lookups = [];
    noted = [];
    state = 'valid';
    isUseRecorded = true;
    onUse = () => undefined;
    const readHashes = (id: string): Promise<readonly TokenHash[]> => {
      lookups.push(id);
      return Promise.resolve([id === minted.id ? minted.hash : mintToken().hash]);
    };
    const find = (id: string): Promise<TokenLookup | undefined> =>
      Promise.resolve(id === minted.id ? { token: { ...GRANT, id }, state, isUseRecorded } : undefined);
    const recordUse = (id: string): Promise<void> => {
      noted.push(id);
      onUse();
      return Promise.reject(new TimeLimitError('busy'));
    };
    verifier = new TokenVerifier({ readHashes, find, recordUse }, () => nowMs);
  });
  const verify = async (token = minted.token) => verifier.verify(token);

  it('leaves other credentials to others', () => {
    expect(verifier.verify('open sesame')).toBeUndefined();
  });

  it('describes the principal of a token', async () => {
    expect(await verify()).toEqual({
      kind: 'token',
      id: minted.id,
      name: 'nightly',
      actor: 'urn:li:corpuser:etl',
      scopes: new Set(['read']),
      limits: { platforms: ['kafka'] },
      speaksForOthers: false,
    });
  });

  it('trusts a verified token for five seconds, and no longer', async () => {
    await verify();
    nowMs = 4_999;
    state = 'revoked';
    expect(await verify()).toMatchObject({ id: minted.id });
    expect(lookups).toHaveLength(1);
    nowMs = 5_000;
    await expect(verify()).rejects.toThrow('The token of this call is revoked');
    expect(lookups).toHaveLength(2);
  });

  it('forgets a token at once', async () => {
    await verify();
    state = 'expired';
    verifier.forget(minted.id);
    await expect(verify()).rejects.toThrow('The token of this call is expired');
  });

  it('does not trust a token that is revoked while it is looked up', async () => {
    isUseRecorded = false;
    onUse = () => {
      state = 'revoked';
      verifier.forget(minted.id);
    };
    const first = verify();
    expect(await first).toMatchObject({ id: minted.id });
    await expect(verify()).rejects.toThrow('The token of this call is revoked');
  });

  it('looks up wrong and unknown tokens alike, and trusts none', async () => {
    const wrong = mintToken(minted.id).token;
    const unknown = mintToken().token;
    for (const token of [wrong, unknown, wrong, unknown]) {
      await expect(verify(token)).rejects.toThrow('The token of this call is unknown');
    }
    expect(lookups).toHaveLength(4);
  });

  it('does not tell a caller with a wrong secret that the token is revoked', async () => {
    state = 'revoked';
    await expect(verify(mintToken(minted.id).token)).rejects.toThrow('The token of this call is unknown');
  });

  it('looks up no malformed token', async () => {
    await expect(verify(minted.token.slice(0, -1))).rejects.toThrow('The token of this call is malformed');
    expect(lookups).toEqual([]);
  });

  it('notes a use when the store has none, and survives a failure', async () => {
    isUseRecorded = false;
    await verify();
    expect(noted).toEqual([minted.id]);
  });
});
