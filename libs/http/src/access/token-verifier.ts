import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { UnauthenticatedError } from '@stratalog/domain';
import type { TokenLookup, TokenStore } from '@stratalog/ports';
import { LRUCache } from 'lru-cache';
import { TOKEN_PREFIX, matchesSecret, parseToken, type TokenParts } from './access-token';
import type { VerifiedPrincipal, VerifyCredential } from './authenticator';
import { boundLookup } from './bound-lookup';

/**
 * A verified token is trusted for so long without reading the store. A revocation in another process takes effect within this time.
 */
const TRUST_MS = 5_000;
const MAX_TRUSTED = 10_000;

interface TrustedToken {
  readonly principal: VerifiedPrincipal;
  readonly sinceMs: number;
}

/**
 * Verifies access tokens against the store. It remembers valid ones only, and reads more than hashes only for a right secret: so the time of a
 * rejection does not tell an unknown id from a wrong secret.
 */
export class TokenVerifier {
  /** By the digest of the whole token. */
  private readonly trusted = new LRUCache<string, TrustedToken>({ max: MAX_TRUSTED });
  /** Counts changes of tokens: what a lookup found before one may be outdated after it. */
  private changes = 0;

  constructor(
    private readonly store: Pick<TokenStore, 'readHashes' | 'find' | 'recordUse'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** **Errors**: `UnauthenticatedError` that says what is wrong with the token; those of the store. */
  readonly verify: VerifyCredential = (credential) => {
    if (!credential.startsWith(TOKEN_PREFIX)) return undefined;
    const parts = parseToken(credential);
    if (parts === undefined) {
      throw new UnauthenticatedError('The token of this call is malformed: it is incomplete or mistyped');
    }
    const key = createHash('sha256').update(credential).digest('hex');
    const known = this.trusted.get(key);
    if (known !== undefined && this.nowMs() - known.sinceMs < TRUST_MS) return known.principal;
    return this.lookUp(key, parts);
  };

  /** Ends the trust in a token that has changed. */
  forget(id: string): void {
    this.changes += 1;
    for (const [key, { principal }] of [...this.trusted]) if (principal.id === id) this.trusted.delete(key);
  }

  private async lookUp(key: string, { id, secret }: TokenParts): Promise<VerifiedPrincipal> {
    const sinceMs = this.nowMs();
    const { changes } = this;
    this.trusted.delete(key);
    const hashes = await boundLookup(() => this.store.readHashes(id));
    const found = matchesSecret(secret, hashes) ? await boundLookup(() => this.store.find(id)) : undefined;
    if (found === undefined) {
      throw new UnauthenticatedError('The token of this call is unknown');
    }
    const { token, state, isUseRecorded } = found;
    if (state !== 'valid') throw new UnauthenticatedError(`The token of this call is ${state}`);
    if (!isUseRecorded) await this.recordUse(id);
    const principal = toPrincipal(token);
    if (changes === this.changes) this.trusted.set(key, { principal, sinceMs });
    return principal;
  }

  /** A use that cannot be recorded fails no call. */
  private async recordUse(id: string): Promise<void> {
    try {
      await this.store.recordUse(id);
    } catch {
      return;
    }
  }
}

function toPrincipal({
  id,
  name,
  actor,
  scopes,
  limits,
  speaksForOthers,
}: TokenLookup['token']): VerifiedPrincipal {
  return { kind: 'token', id, name, actor, scopes: new Set(scopes), limits, speaksForOthers };
}
